interface Rounds {
  /** In every test run: enough to see that it works at all. */
  readonly usual: number;
  /** In `npm run test:crash:full`. */
  readonly full: number;
}

/** How often each kind of crash is tried. */
const rounds = {
  "kill of a file's writer": { usual: 5, full: 100 },
  "kill on PGlite": { usual: 2, full: 100 },
  "kill on Postgres": { usual: 3, full: 100 },
  "kill of the cluster": { usual: 2, full: 25 },
  "kill of a server on PGlite": { usual: 3, full: 100 },
  "kill of a server on Postgres": { usual: 3, full: 100 },
  "kill in a first start": { usual: 1, full: 20 },
  "kill of an agent": { usual: 2, full: 40 },
  "power cut": { usual: 3, full: 45 },
  "power cut of a server": { usual: 2, full: 45 },
} satisfies Readonly<Record<string, Rounds>>;

export type Crash = keyof typeof rounds;

/** `MULL_CRASH=full` asks for the full number, `MULL_CRASH_ROUNDS` for any other. */
export function roundsOf(crash: Crash): number {
  const given = process.env["MULL_CRASH_ROUNDS"];
  if (given !== undefined) return Number(given);
  return rounds[crash][process.env["MULL_CRASH"] === "full" ? "full" : "usual"];
}

export const crashSeed = (): number => Number(process.env["MULL_CRASH_SEED"] ?? 1);

/** What came of it, past the test runner, which keeps the output of tests that pass to itself. */
export const report = (crash: Crash, passed: number, details: string): void => {
  process.stderr.write(`${crash}: ${passed} of ${roundsOf(crash)}, ${details}\n`);
};
