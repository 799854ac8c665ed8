import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { levels } from "mull";
import { cases, refs } from "./cases.ts";
import { createDocket, describeVerdict, type Sample } from "./docket.ts";
import { exceptions } from "./exceptions.ts";
import { declined, playSeats, type Played } from "./play-seats.ts";

/** What a child tells: a body with something new in it, and at its end what became of the rest. */
type Told = { readonly sample: Sample } | { readonly bodies: number; readonly played: Played };

const [share, ...others] = process.argv.slice(2);
const asked = /^--part=(\d+)\/(\d+)$/.exec(share ?? "");
if (asked) await playPart(Number(asked[1]), Number(asked[2]), others);
else await playAll(process.argv.slice(2));

function tell(told: Told): void {
  process.send?.(told);
}

/** Plays some of the models and passes on only what types could tell from what it has passed on. */
async function playPart(part: number, of: number, words: readonly string[]): Promise<void> {
  const docket = createDocket(exceptions);
  let bodies = 0;
  const mine = refs.filter((_, at) => at % of === part);
  const played = await playSeats(mine, words, (sample) => {
    bodies++;
    if (docket.add(sample)) tell({ sample });
  });
  tell({ bodies, played });
}

/** Words on the command line pick what is played: `npm run judge -- claude-opus-5-5 "a PDF"`. */
async function playAll(words: readonly string[]): Promise<void> {
  const docket = createDocket(exceptions);
  const failures: string[] = [];
  const declines = declined.map(() => 0);
  let bodies = 0;
  const of = Math.min(2, availableParallelism());
  await Promise.all(
    Array.from({ length: of }, async (_, part) => {
      const child = fork(fileURLToPath(import.meta.url), [`--part=${part}/${of}`, ...words]);
      child.on("message", (told: Told) => {
        if ("sample" in told) {
          docket.add(told.sample);
          return;
        }
        bodies += told.bodies;
        failures.push(...told.played.failures);
        told.played.declines.forEach((count, row) => (declines[row]! += count));
      });
      const code = await new Promise((resolve) => child.on("exit", resolve));
      if (code !== 0) failures.push(`FAILED: part ${part} of the judge ended with ${String(code)}`);
    }),
  );
  const found = await docket.judge();
  const isWhole = words.length === 0;
  const idle = isWhole ? declined.filter((_, row) => declines[row] === 0) : [];
  const verdict = { ...found, bodies, needless: isWhole ? found.needless : [] };
  const lines = [
    ...failures.slice(0, 40),
    ...idle.map(({ reason }) => `NEEDLESS decline: ${reason}`),
    ...describeVerdict(verdict),
    `${refs.length} models, ${levels.length} levels, ${Object.keys(cases).length} cases; ` +
      `${failures.length} conversations failed, ` +
      `${declines.reduce((sum, count) => sum + count, 0)} declined before sending`,
  ];
  for (const line of lines) console.log(line);
  const problems = failures.length + idle.length + verdict.refused.length + verdict.needless.length;
  process.exitCode = problems > 0 ? 1 : 0;
}
