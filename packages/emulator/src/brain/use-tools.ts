import { isJsonObject } from "mull/wire";

import { hitsIn, numberIn, sayOutput, sumIn, type Hits } from "./read-output.ts";
import { writeNumber } from "./numbers.ts";
import type { Done, Question, Thought, Topic } from "./question.ts";
import { planRounds, type ToolWish } from "./tool-topics.ts";

const list = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

const askFor = (wishes: readonly ToolWish[], question: Question): Thought => {
  const subjects = list(wishes.map((wish) => wish.subject));
  const tools = list([...new Set(wishes.map((wish) => wish.name))]);
  const before = question.rounds.at(-1);
  return {
    steps: [
      ...(before === undefined
        ? [`This needs data I do not have, so I use ${tools}.`]
        : [
            `${before.length === 1 ? "One result is" : `${before.length} results are`} in; the next step needs ${tools}.`,
          ]),
      `I ask about ${subjects}.`,
      wishes.length > 1
        ? "The calls do not depend on each other, so I make them at the same time."
        : "One call is enough for this step.",
      `The input follows the tool's schema: ${JSON.stringify(wishes[0]?.input)}.`,
    ],
    calls: wishes.map(({ name, input }) => ({ name, input })),
  };
};

/** What a call was about, even if another model made it. */
const subjectOf = (done: Done, wishes: readonly ToolWish[]): string => {
  const asked = JSON.stringify(done.input);
  const wish = wishes.find(
    ({ name, input }) => name === done.name && JSON.stringify(input) === asked,
  );
  const values = isJsonObject(done.input) ? Object.values(done.input) : [];
  const text = values.find((value) => typeof value === "string" && value.length <= 60);
  return wish?.subject ?? (typeof text === "string" ? text : done.name);
};

const comparison = (results: readonly (readonly [string, number])[], text: string): string[] => {
  if (results.length < 2) return [];
  const sorted = results.toSorted((a, b) => b[1] - a[1]);
  const [top, bottom] = [sorted[0], sorted.at(-1)];
  if (top === undefined || bottom === undefined || top[1] === bottom[1]) return [];
  const more = /weather|warm|cold|temperature|degrees/i.test(text) ? "warmest" : "highest";
  const less = more === "warmest" ? "coldest" : "lowest";
  return [
    `${titled(top[0])} is ${more} with ${writeNumber(top[1])}, ${bottom[0]} ${less} with ${writeNumber(bottom[1])}.`,
  ];
};

const titled = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Links under their subject, and who found them once at the end. */
const sayFound = (found: readonly (readonly [string, Hits])[]): string => {
  const sources = [...new Set(found.flatMap(([, { source }]) => source ?? []))];
  return [
    ...found.flatMap(([subject, { lines }]) => [
      found.length > 1 ? `**${titled(subject)}**` : `I searched for “${subject}” and found:`,
      lines.join("\n"),
    ]),
    ...sources.map((source) => `Source: ${source}.`),
  ].join("\n\n");
};

const foundIn = (
  done: readonly Done[],
  wishes: readonly ToolWish[],
): readonly (readonly [string, Hits])[] | undefined => {
  const found = done.flatMap((result) => {
    const hits = result.isError ? undefined : hitsIn(result.output);
    return hits === undefined ? [] : [[subjectOf(result, wishes), hits] as const];
  });
  return found.length > 0 && found.length === done.length ? found : undefined;
};

/** What clients of ours say where a person refused a call. */
const refusal = /^Refused, the call was not run: (.+)$/s;

const conclude = (question: Question, wishes: readonly ToolWish[]): Thought => {
  const done = question.rounds.flat();
  const good = done.filter((result) => !result.isError);
  const said = done.map((result) => {
    const subject = subjectOf(result, wishes);
    const sum = result.isError ? undefined : sumIn(result.output);
    if (sum !== undefined) return sum;
    const output = sayOutput(result.output);
    const whyNot = refusal.exec(output)?.[1];
    if (whyNot !== undefined) return `I did not run ${result.name}: ${whyNot.replace(/\.$/, "")}.`;
    if (result.isError) return `${subject}: the tool failed (${output}).`;
    if (output.includes("\n")) return `${subject}:\n\n${output}\n`;
    return `${subject}: ${output.replace(/\.$/, "")}.`;
  });
  const numbers = good.flatMap((result) => {
    const [hit = result.output] = hitsIn(result.output)?.lines ?? [];
    const value = numberIn(hit, /temp|celsius|degree|price|value|close/i);
    return value === undefined ? [] : [[subjectOf(result, wishes), value] as const];
  });
  const found = foundIn(done, wishes);
  const compared = comparison(numbers, question.text);
  return {
    steps: [
      `${done.length} tool ${done.length === 1 ? "result is" : "results are"} in${good.length < done.length ? ", not all of them good" : ""}.`,
      ...(found === undefined
        ? said.map((line) => `I read ${line}`)
        : found.map(([subject, { titles }]) => `On ${subject} I read ${list(titles)}.`)),
      ...compared,
      "That is enough to answer.",
    ],
    answer:
      found === undefined
        ? [...said, ...compared].join("\n")
        : [sayFound(found), ...compared].join("\n\n"),
  };
};

/** Calls what the question needs, round by round, and answers from the results. */
export const useTools: Topic = (question) => {
  const rounds = planRounds(question);
  const next = rounds[question.rounds.length];
  if (next !== undefined && next.length > 0) return askFor(next, question);
  return question.rounds.length > 0 ? conclude(question, rounds.flat()) : undefined;
};
