import type { UIMessage } from "@mull/ui-messages";
import { toolMs, type UIToolPart } from "../tools/describe-tool.ts";
import { modelsOf, readTurn, type ThreadTurn } from "../thread/read-turn.ts";

/** What one answer took. A figure that nobody knows is absent, never 0. */
export interface AnswerFigures {
  readonly messageId: string;
  /** Counted from 1, in the order of the conversation. */
  readonly nth: number;
  readonly by: string;
  readonly thinking?: number;
  readonly ms?: number;
  readonly cost?: number;
}

export type Figure = "thinking" | "ms" | "cost";

/** The answers of a conversation that are over. */
export function readAnswers(messages: readonly UIMessage[]): readonly AnswerFigures[] {
  const answers = messages.filter(({ role }) => role === "assistant");
  return answers.flatMap((message, index) => {
    const turn = readTurn(message);
    const { level, state, startedAt, endedAt, cost, usage } = turn.facts;
    if (state === "running") return [];
    const counts = turn.steps.flatMap((step) => step.usage.thinking ?? []);
    const sum = counts.reduce((all, count) => all + count, 0);
    const thinking = counts.length === 0 ? usage?.thinking : sum;
    const by = [modelsOf(turn).join(" → ") || "unknown model", ...(level ? [level] : [])];
    const ms =
      startedAt === undefined || endedAt === undefined
        ? undefined
        : Math.min(endedAt - startedAt, workOf(turn));
    return [
      {
        messageId: message.id,
        nth: index + 1,
        by: by.join(" · "),
        ...(thinking !== undefined && { thinking }),
        ...(ms !== undefined && { ms }),
        ...(cost !== undefined && { cost }),
      },
    ];
  });
}

/**
 * What models and tools took together: an answer may have waited for a person's decision for hours.
 * Infinity where that was not kept.
 */
function workOf({ steps, blocks }: ThreadTurn): number {
  const asked = steps.map(({ timing }) => timing?.totalMs ?? Infinity);
  const called = blocks.map((block) =>
    block.kind === "tool" && hasRun(block.part) ? (toolMs(block.part) ?? Infinity) : 0,
  );
  return [...asked, ...called].reduce((all, each) => all + each, 0);
}

const hasRun = ({ output, errorText }: UIToolPart): boolean =>
  output !== undefined || errorText !== undefined;

/** The share of the largest, so that bars can be compared; 0 if a figure is not known. */
export function shareOf(
  answers: readonly AnswerFigures[],
  figure: Figure,
): (answer: AnswerFigures) => number {
  const largest = Math.max(0, ...answers.map((answer) => answer[figure] ?? 0));
  return (answer) => (largest === 0 ? 0 : (answer[figure] ?? 0) / largest);
}
