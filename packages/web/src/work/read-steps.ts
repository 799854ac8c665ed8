import type { Model } from "mull";
import { describeThinking, type ThinkingWords } from "../thinking/describe-thinking.ts";
import { isForeign, type ThreadTurn } from "../thread/read-turn.ts";
import type { WorkBlock, WorkGroup } from "../thread/group-work.ts";
import { describeTool, type ToolWords, type UIToolPart } from "../tools/describe-tool.ts";

/** A thought or a call with what the page says about it. */
export type WorkStep =
  | {
      readonly kind: "thinking";
      readonly text: string;
      readonly isStreaming: boolean;
      readonly words: ThinkingWords;
      readonly durationMs?: number;
    }
  | { readonly kind: "tool"; readonly part: UIToolPart; readonly words: ToolWords };

export interface WorkView {
  readonly group: WorkGroup;
  readonly turn: ThreadTurn;
  readonly isLive: boolean;
  readonly chosen: Model;
  /** How long the thought that streams now has been going on. */
  readonly elapsedMs: number | undefined;
}

type ThinkingBlock = Extract<WorkBlock, { kind: "thinking" }>;

/** The thought that is being written. */
export function findRunning({ blocks }: WorkGroup, isLive: boolean): ThinkingBlock | undefined {
  const last = blocks.at(-1);
  return isLive && last?.kind === "thinking" && last.isStreaming ? last : undefined;
}

/** By the server's stamp; the first block of a turn begins with the turn. */
export const startOf = (
  { about }: ThinkingBlock,
  { facts }: ThreadTurn,
  isFirst: boolean,
): number | undefined => about.startedAt ?? (isFirst ? facts.startedAt : undefined);

/** The steps of a group; thoughts of which there is nothing to tell are left out (R195). */
export function readSteps(view: WorkView): readonly WorkStep[] {
  const { group, isLive } = view;
  const running = findRunning(group, isLive);
  return group.blocks.flatMap((block, index): readonly WorkStep[] => {
    if (block.kind === "tool") {
      const { part } = block;
      return [{ kind: "tool", part, words: describeTool(part, isLive) }];
    }
    const isStreaming = block === running;
    const about = withDuration(block, view, group.isFirst && index === 0);
    const words = describeThinking({
      text: block.text,
      isStreaming,
      about,
      usage: block.isOnly ? block.step?.usage : undefined,
      receipt: block.step?.receipt,
      elapsedMs: isStreaming ? view.elapsedMs : undefined,
      withheldFrom: isForeign(about.seal, view.chosen) ? view.chosen.id : undefined,
    });
    if (words === undefined) return [];
    const { durationMs } = about;
    const lasted = durationMs === undefined ? {} : { durationMs };
    return [{ kind: "thinking", text: block.text, isStreaming, words, ...lasted }];
  });
}

/** A block that was cut has a start; its end is the turn's. */
function withDuration(
  block: ThinkingBlock,
  { turn }: WorkView,
  isFirst: boolean,
): ThinkingBlock["about"] {
  const { about } = block;
  const start = startOf(block, turn, isFirst);
  const { endedAt } = turn.facts;
  if (!about.cut || about.durationMs !== undefined) return about;
  if (start === undefined || endedAt === undefined) return about;
  return { ...about, durationMs: Math.max(0, endedAt - start) };
}
