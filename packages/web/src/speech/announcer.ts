import type { UIMessage } from "@mull/ui-messages";
import { speakDuration } from "../format.ts";
import { createBlockSplitter, type BlockSplitter } from "../markdown/split-blocks.ts";
import type { SpeechPreference } from "../state/preferences.ts";
import { toolName } from "../tools/describe-tool.ts";
import { readTurn, type TurnBlock, type ThreadTurn } from "../thread/read-turn.ts";

/** Tells a screen reader about a turn, each thing once. */
export interface Announcer {
  readonly next: (
    message: UIMessage | undefined,
    isLive: boolean,
    how: SpeechPreference,
  ) => readonly string[];
}

const ends: ReadonlyMap<string, string> = new Map([
  ["stopped", "Stopped"],
  ["failed", "The turn failed"],
  ["interrupted", "The turn was interrupted"],
]);

const spoken = (block: { readonly kind: string; readonly text: string }): string =>
  block.kind === "code" ? "Code block" : block.text.replaceAll(/\*\*|__|`|^[#>|\s]+/gm, "").trim();

/** A call that a person has to decide about first. */
const waits = (block: TurnBlock): boolean =>
  block.kind === "tool" && block.part.state === "approval-requested";

export function createAnnouncer(): Announcer {
  let turnId: string | undefined;
  let said = new Set<string>();
  let wasLive = false;
  let splitters = new Map<number, BlockSplitter>();

  const once = (key: string, words: string): readonly string[] => {
    if (said.has(key)) return [];
    said.add(key);
    return [words];
  };

  const blockWords = (
    block: TurnBlock,
    index: number,
    how: SpeechPreference,
    isOver: boolean,
  ): readonly string[] => {
    if (block.kind === "thinking") {
      if (block.isStreaming) return once(`${index} thinks`, "Thinking");
      const { durationMs } = block.about;
      const words =
        durationMs === undefined ? "Thought" : `Thought for ${speakDuration(durationMs)}`;
      return once(`${index} thought`, words);
    }
    if (block.kind === "tool") {
      const name = toolName(block.part);
      const called = once(`${index} tool`, `Calls ${name}`);
      return waits(block) ? [...called, ...once(`${index} asks`, `May ${name} run?`)] : called;
    }
    if (block.kind !== "text") return [];
    const started = once("answers", "Answering");
    if (how !== "paragraphs")
      return isOver ? [...started, ...once(`${index} whole`, spoken(block))] : started;
    const splitter = splitters.get(index) ?? createBlockSplitter();
    splitters.set(index, splitter);
    const whole = splitter.split(block.text).filter((each) => isOver || !each.isOpen);
    return [...started, ...whole.flatMap((each, at) => once(`${index} ${at}`, spoken(each)))];
  };

  const turnWords = (
    turn: ThreadTurn,
    isLive: boolean,
    how: SpeechPreference,
  ): readonly string[] => [
    ...turn.blocks.flatMap((block, index) => blockWords(block, index, how, !isLive)),
    ...(isLive || turn.blocks.some(waits)
      ? []
      : once("end", ends.get(turn.facts.state ?? "") ?? "Done")),
  ];

  return {
    next: (message, isLive, how) => {
      const isNew = message !== undefined && message.id !== turnId;
      if (isNew) {
        turnId = message.id;
        said = new Set();
        splitters = new Map();
        wasLive = false;
      }
      const isWatched = isLive || wasLive;
      wasLive = isLive;
      if (message === undefined || !isWatched || how === "none") return [];
      return turnWords(readTurn(message), isLive, how);
    },
  };
}
