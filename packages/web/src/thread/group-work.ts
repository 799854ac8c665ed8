import type { TurnBlock } from "./read-turn.ts";

export type WorkBlock = Extract<TurnBlock, { kind: "thinking" | "tool" }>;

/** What a reader meets: text and the like one by one, thoughts and calls between them together. */
export type TurnGroup = Exclude<TurnBlock, WorkBlock> | WorkGroup;

export interface WorkGroup {
  readonly kind: "work";
  readonly blocks: readonly WorkBlock[];
  /** It stands at the beginning of the turn. */
  readonly isFirst: boolean;
}

const isWork = (block: TurnBlock): block is WorkBlock =>
  block.kind === "thinking" || block.kind === "tool";

/** Thoughts and calls that follow each other become one group; the order stays. */
export function groupWork(blocks: readonly TurnBlock[]): readonly TurnGroup[] {
  const groups: TurnGroup[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (!isWork(block)) groups.push(block);
    else if (last?.kind === "work")
      groups[groups.length - 1] = { ...last, blocks: [...last.blocks, block] };
    else groups.push({ kind: "work", blocks: [block], isFirst: groups.length === 0 });
  }
  return groups;
}
