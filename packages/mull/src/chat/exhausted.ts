import type { Reply } from "../types/event.ts";
import type { Note, ThinkingPlan } from "../types/plan.ts";

/**
 * The output limit was reached before the answer began: everything went into thinking. It is a
 * success by its status and looks like an empty answer, so it is said with the numbers.
 */
export function exhaustedNotes(reply: Reply | undefined, plan: ThinkingPlan): readonly Note[] {
  if (reply?.finish.reason !== "length" || reply.message.parts.some(isAnswer)) return [];
  const { thinking, output } = reply.usage;
  const spent = thinking ?? output;
  const cap = plan.maxOutputTokens;
  const numbers = [
    ...(spent === undefined ? [] : [`: ${count(spent)} tokens`]),
    ...(cap === undefined ? [] : [` of ${count(cap)}`]),
  ].join("");
  return [
    {
      code: "thinking-exhausted-output",
      severity: "warning",
      message: `Thinking used up the output limit before the answer began${numbers}. Raise maxOutputTokens or lower the level.`,
    },
  ];
}

const count = (tokens: number): string => tokens.toLocaleString("en-US");

const isAnswer = (part: Reply["message"]["parts"][number]): boolean =>
  part.type !== "thinking" && !(part.type === "text" && part.text === "");
