import { isMullError, levels } from "mull";
import { cases, refs, type Seat } from "./cases.ts";
import { createDocket, describeVerdict } from "./docket.ts";
import { exceptions } from "./exceptions.ts";

/** What is refused before anything is sent, because no request could be made of it. */
const declined: readonly { readonly message: RegExp; readonly reason: string }[] = [
  {
    message: /^reasoning_effort: Function tools with reasoning_effort are not supported/,
    reason: "on Chat Completions these models take tools only with thinking off, and cannot be off",
  },
];

/** Every model at every level in every case; words on the command line pick some of them. */
const words = process.argv.slice(2);
const docket = createDocket(exceptions);
const failures: string[] = [];
const declines = new Map(declined.map(({ message }) => [message, 0]));
const models = new Set<string>();

async function play(ref: string, level: Seat["level"], name: string): Promise<void> {
  const where = `${ref} ${level}, ${name}`;
  if (!words.every((word) => where.includes(word))) return;
  models.add(ref);
  let request = 0;
  const show: Seat["show"] = ({ type, body }) =>
    docket.add({ type, body, where: `${where}, request ${++request}` });
  try {
    await cases[name]!({ ref, level, show });
  } catch (error) {
    const isOurs = isMullError(error) && error.code === "preflight";
    const known = [...declines.keys()].find((text) => isOurs && text.test(error.message));
    if (known === undefined) failures.push(`FAILED ${where}, request ${request}: ${String(error)}`);
    else declines.set(known, declines.get(known)! + 1);
  }
}

for (const ref of refs)
  for (const level of levels) for (const name of Object.keys(cases)) await play(ref, level, name);

const verdict = await docket.judge();
const needless = declined.filter(({ message }) => declines.get(message) === 0);
const isWhole = words.length === 0;
const lines = [
  ...failures.slice(0, 40),
  ...(isWhole ? needless.map(({ reason }) => `NEEDLESS decline: ${reason}`) : []),
  ...describeVerdict(isWhole ? verdict : { ...verdict, needless: [] }),
  `${models.size} models, ${levels.length} levels, ${Object.keys(cases).length} cases; ` +
    `${failures.length} conversations failed, ` +
    `${[...declines.values()].reduce((sum, count) => sum + count, 0)} declined before sending`,
];
for (const line of lines) console.log(line);
const isStale = isWhole && verdict.needless.length + needless.length > 0;
if (failures.length > 0 || verdict.refused.length > 0 || isStale) process.exitCode = 1;
