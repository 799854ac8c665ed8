import type { SqlValue } from "../postgres/driver.ts";

/** The messages of Postgres' extended query protocol that prepared statements need. */

const text = (value: string): Buffer => Buffer.from(`${value}\0`);

const int16 = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeInt16BE(value);
  return bytes;
};

const int32 = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
};

function message(kind: string, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  return Buffer.concat([Buffer.from(kind), int32(length), ...parts]);
}

const nothing = int32(-1);

/** Sends every value as text: the engine knows the type of each parameter. */
const parameter = (value: SqlValue): readonly Buffer[] => {
  if (value === null) return [nothing];
  const bytes = Buffer.from(String(value));
  return [int32(bytes.length), bytes];
};

const bind = (name: string, values: readonly SqlValue[]): Buffer =>
  message(
    "B",
    text(""),
    text(name),
    int16(0),
    int16(values.length),
    ...values.flatMap(parameter),
    int16(0),
  );

const execute = message("E", text(""), int32(0));
/** Also clears what an error left open. */
const sync = message("S");

/** Prepares a statement under a name and asks for the shape of its rows. */
export const prepareMessages = (name: string, sql: string): Uint8Array =>
  Buffer.concat([
    message("P", text(name), text(sql), int16(0)),
    message("D", Buffer.from("S"), text(name)),
    sync,
  ]);

/** Runs prepared statements. Everything between two syncs is one transaction. */
export const runMessages = (
  runs: readonly { readonly name: string; readonly values: readonly SqlValue[] }[],
): Uint8Array =>
  Buffer.concat([...runs.flatMap(({ name, values }) => [bind(name, values), execute]), sync]);
