import type { Bucket, Store } from "@mull/store";
import { MullError } from "mull";
import { tooMany } from "../http/refusals.ts";
import type { Limits } from "../parts.ts";

type ImportLimits = Pick<
  Limits,
  "importsPerDay" | "importedMessagesPerDay" | "importedBytesPerDay"
>;

const dayMs = 24 * 60 * 60_000;

const kinds = [
  { name: "files", limit: "importsPerDay" },
  { name: "messages", limit: "importedMessagesPerDay" },
  { name: "bytes", limit: "importedBytesPerDay" },
] as const;

/** What an import takes: one file, and its content. */
export type ImportSize = Readonly<Record<(typeof kinds)[number]["name"], number>>;

/**
 * Takes an import from the user's daily allowance, across all processes; refuses what is too much.
 */
export async function takeImport(
  store: Store,
  userId: string,
  limits: ImportLimits,
  size: ImportSize,
): Promise<void> {
  const taken: (() => Promise<void>)[] = [];
  const limited = kinds.filter(({ limit }) => limits[limit] > 0);
  for (const { name, limit } of limited) {
    if (size[name] > limits[limit])
      throw tooLarge(size[name], name, allowedOf(limits[limit], name));
  }
  for (const { name, limit } of limited) {
    const [most, wanted] = [limits[limit], size[name]];
    const bucket: Bucket = { key: `import ${name} ${userId}`, size: most, refillMs: dayMs / most };
    const got = await store.takeFrom(bucket, wanted);
    taken.push(() => store.giveBack(bucket, got.taken));
    if (got.taken >= wanted) continue;
    for (const giveBack of taken) await giveBack();
    const waitMs = Math.ceil((wanted - got.taken) * bucket.refillMs);
    throw tooMany(`There is room for ${allowedOf(most, name)} in 24 hours.`, waitMs);
  }
}

const allowedOf = (most: number, name: string): string =>
  `${most.toLocaleString("en-US")} imported ${name}`;

const tooLarge = (wanted: number, name: string, allowed: string): MullError =>
  new MullError(
    `The conversation has ${wanted.toLocaleString("en-US")} ${name}, and there is room for ${allowed} in 24 hours. Import it in parts.`,
    { category: "invalid_argument", status: 413, code: "import_too_large" },
  );
