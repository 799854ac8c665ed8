import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { createReader } from "./readings.ts";
import type { ServerPlan } from "./servers.ts";

/** The parent's commands; each gets one reply. */
export type Order =
  | { readonly order: "start"; readonly plan: ServerPlan }
  | { readonly order: "read"; readonly collect: boolean };

/**
 * Counts how many hashes run at once, inside the function itself, so that no gate has to be
 * trusted.
 */
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

// The tool that runs this file maps stacks back to sources, which makes every error more expensive
// than in production.
process.setSourceMapsEnabled(false);
const read = createReader(countHashes());
// After the counter is in place, every later import gets the counted function.
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
