import { writeSync } from "node:fs";

/**
 * Asks once, in a process that has done nothing before, and prints the milliseconds from its start
 * to the first words: of its processor, and by the clock. Plain JavaScript, so that no compiler's
 * time is among them.
 */
const [module, origin] = process.argv.slice(2);
if (process.env.ANTHROPIC_BASE_URL === undefined) {
  const { fetch } = globalThis;
  globalThis.fetch = (url, init) => fetch(origin + new URL(url).pathname, init);
}
const { ask } = await import(module);
await ask("bench-key", "Hi.", () => {
  const wall = performance.now();
  const { user, system } = process.cpuUsage();
  writeSync(1, JSON.stringify({ cpu: (user + system) / 1000, wall }));
  process.exit(0);
});
