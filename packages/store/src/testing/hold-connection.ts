import { once } from "node:events";
import type { SqlDriver } from "../postgres/driver.ts";

/** Keeps a connection of a driver busy until you call the function it returns. */
export async function holdConnection(driver: SqlDriver): Promise<() => Promise<void>> {
  const over = new AbortController();
  const letGo = once(over.signal, "abort");
  let holding: Promise<void> = Promise.resolve();
  await new Promise<void>((begun) => {
    holding = driver.transaction(async () => {
      begun();
      await letGo;
    });
  });
  return async () => {
    over.abort();
    await holding;
  };
}
