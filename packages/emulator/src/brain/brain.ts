import type { Model, OutputFormat } from "mull";
import type { WireRequest } from "mull/wire";

import type { Draft, DraftPart } from "../world/draft.ts";
import { arithmetic } from "./arithmetic.ts";
import { depthOf, reason } from "./depth.ts";
import { fillSchema } from "./fill-schema.ts";
import { changeResult, completeQuestion, recall } from "./follow-up.ts";
import { interest } from "./interest.ts";
import { numbersIn } from "./numbers.ts";
import { percentages } from "./percentages.ts";
import { primes } from "./primes.ts";
import { readFiles } from "./read-files.ts";
import { readQuestion, type Question, type Thought, type Topic } from "./question.ts";
import { plainInput } from "./tool-specs.ts";
import { useTools } from "./use-tools.ts";

/** Ends every answer, so that nobody takes it for a model's. */
export const simulatedNote = "(Simulated: the mull emulator answered, no model was asked.)";

const greet: Topic = ({ text }) =>
  /^(?:hi|hello|hey|good (?:morning|evening|day))\b/i.test(text)
    ? { steps: ["A greeting wants a greeting."], answer: "Hello! Ask me something." }
    : undefined;

const fallback = (question: Question): Thought => {
  const quoted = question.text.length > 80 ? `${question.text.slice(0, 80)}…` : question.text;
  const before = question.earlier.at(-1)?.asked;
  return {
    steps: [
      `The question is “${quoted}”.`,
      "It is none of the things I can work out, so a plain answer has to do.",
      ...(before === undefined
        ? []
        : [`Before that the conversation was about: ${before.slice(0, 80)}`]),
    ],
    answer: `You said: "${quoted}".${before === undefined ? "" : ` Before that you asked: "${before.slice(0, 80)}".`} I can do percentages, arithmetic, compound interest and primes, and I use weather and search tools when I have them.`,
  };
};

const topics: readonly Topic[] = [
  useTools,
  readFiles,
  recall,
  changeResult,
  interest,
  percentages,
  primes,
  arithmetic,
  greet,
];

/** The same question always gets the same thought. */
export const think = (asked: Question): Thought => {
  const question = completeQuestion(asked);
  for (const topic of topics) {
    const thought = topic(question);
    if (thought !== undefined) return thought;
  }
  // `look at @notes.md` says nothing of a file, but it came with one.
  const given = asked.files?.areNew === true ? readFiles({ ...asked, text: "" }) : undefined;
  return given ?? fallback(asked);
};

const shape = (output: OutputFormat, answer: string): string =>
  JSON.stringify(
    fillSchema(output.schema, {
      texts: Array.from({ length: 20 }, () => `${answer} (simulated)`),
      numbers: numbersIn(answer).toReversed(),
    }),
  );

export interface BrainSettings {
  readonly betweenTools: boolean;
  /** Says under the answer that it is simulated. */
  readonly note?: boolean | undefined;
}

/** Answers a request, with as much thinking as it asks for. */
export const answer = (
  request: WireRequest,
  model: Model,
  { betweenTools, note = true }: BrainSettings,
): Draft => {
  const question = readQuestion(request);
  const thought = think(question);
  const thinksNow = question.rounds.length === 0 || betweenTools;
  const isNote = request.thinking.type === "off" && request.thinking.form === "between_tools";
  const depth = isNote && question.rounds.length > 0 ? 1 : depthOf(request.thinking, model);
  const reasoning = thinksNow ? reason(thought.steps, depth) : "";
  const parts: DraftPart[] = reasoning === "" ? [] : [{ type: "thinking", text: reasoning }];
  if (thought.calls === undefined) {
    const said = thought.answer ?? "";
    const text =
      request.output === undefined
        ? [said, ...(note ? [simulatedNote] : [])].join("\n\n")
        : shape(request.output, said.replaceAll("**", ""));
    parts.push({ type: "text", text });
  }
  for (const call of thought.calls ?? []) {
    const input = plainInput(request.tools ?? [], call);
    parts.push({ type: "call", name: call.name, input });
  }
  return { parts, disturbances: [] };
};
