import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { createReader } from "./readings.ts";
import type { ServerPlan } from "./servers.ts";

/** What the parent asks; every message gets one answer. */
export type Order =
  | { readonly order: "start"; readonly plan: ServerPlan }
  | { readonly order: "read"; readonly collect: boolean };

/** Counts how many hashes run at once: at the function itself, so that no gate is taken at its word. */
function countHashes(): { readonly most: number } {
  const hashes = { running: 0, most: 0 };
  const original = crypto.scrypt;
  const counted: (...given: Parameters<typeof original>) => void = (
    password,
    salt,
    length,
    options,
    callback,
  ) => {
    hashes.most = Math.max(hashes.most, ++hashes.running);
    original(password, salt, length, options, (error, key) => {
      hashes.running--;
      callback(error, key);
    });
  };
  Object.assign(crypto, { scrypt: counted });
  syncBuiltinESMExports();
  return hashes;
}

// What runs this file maps stacks back to sources, which makes every error cost what it does not cost outside.
process.setSourceMapsEnabled(false);
const read = createReader(countHashes());
// After the count is in place: every later import of the function gets the counted one.
const { startServer } = await import("./servers.ts");

const answer = (value: unknown): void => {
  process.send?.(value);
};

process.on("message", (order: Order) => {
  if (order.order === "read") answer(read(order.collect));
  else void startServer(order.plan).then((port) => answer({ port }));
});
process.on("disconnect", () => process.exit(0));
answer({ ready: true });
