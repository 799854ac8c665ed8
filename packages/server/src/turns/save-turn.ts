import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises";
import {
  isMullError,
  type AssistantPart,
  type Message,
  type ToolCallPart,
  type ToolResultPart,
} from "mull";
import type { Store, TurnEnd } from "@mull/store";
import type { BlockPlace, LoopShare, TextPiece } from "@mull/store/parts";

/**
 * Writes a running turn to the store, in order, without delaying the stream. A store that is away
 * is tried again while the turn continues.
 */
export interface TurnSaver {
  /** Text of an unfinished block. */
  readonly text: TurnTexts["add"];
  readonly part: (part: AssistantPart, step: number, index: number) => void;
  /** Another model starts the answer again. */
  readonly restart: () => void;
  /** `false`: it could not be stored. */
  readonly intent: (call: ToolCallPart) => Promise<boolean>;
  readonly result: (result: ToolResultPart) => void;
  readonly message: (message: Message) => void;
  /** `false`: it could not be saved. */
  readonly finish: (end: TurnEnd) => Promise<boolean>;
}

export interface SaveOptions {
  readonly store: Store;
  readonly userId: string;
  readonly conversationId: string;
  readonly turnId: string;
  /** How long to retry a write. */
  readonly saveMs: number;
  readonly now: () => number;
  readonly loop: LoopShare;
  readonly texts: TextSaver;
  /** Something was stored that readers elsewhere are waiting for. */
  readonly onStored: () => void;
  /** Another process took the turn over, or the conversation is gone. */
  readonly onLost: () => void;
  readonly onTrouble: (error: unknown) => void;
}

export function createTurnSaver(options: SaveOptions): TurnSaver {
  const { store, userId, turnId } = options;
  let tail: Promise<boolean> = Promise.resolve(true);
  let queued = 0;
  let stored = 0;
  let blocks = 0;
  /** How many of the blocks are part of whole messages, which replace the draft. */
  let covered = 0;

  const texts = options.texts.open({
    turnId,
    isIdle: () => queued === 0,
    onLost: options.onLost,
  });

  const queue = (write: (isRepeated: boolean) => Promise<unknown>): Promise<boolean> => {
    queued++;
    tail = tail
      .then(async (isWhole) => isWhole && (await tryLong(options, write)))
      .finally(() => {
        queued--;
        options.onStored();
      });
    return tail;
  };

  /** A write whose acknowledgement was lost may have been done: count before doing it again. */
  const keepMessage = async (message: Message, nth: number, isRepeated: boolean): Promise<void> => {
    if (isRepeated && (await countMessages(options)) > nth) return;
    await store.finishMessage(userId, turnId, message);
  };

  return {
    text: texts.add,
    part: (part, step, index) => {
      const nth = ++blocks;
      const ending = texts.end(step, index);
      void queue(async () => {
        const place = await ending;
        // The message often came with its last block. Then the block is stored with it, once.
        await nextRound();
        if (nth > covered) await store.appendPart(userId, turnId, part, place);
      });
    },
    restart: () => void texts.clear(),
    intent: (call) => queue(() => store.storeToolIntent(userId, turnId, call)),
    result: (result) => {
      void queue(() => store.storeToolResult(userId, turnId, result));
    },
    message: (message) => {
      const nth = stored++;
      covered = blocks;
      const settled = texts.clear();
      void queue(async (isRepeated) => {
        await settled;
        await keepMessage(message, nth, isRepeated);
      });
    },
    finish: (end) => {
      if (end.messages !== undefined) covered = blocks;
      const settled = texts.clear();
      return queue(async (isRepeated) => {
        await settled;
        const isDone = isRepeated && (await store.getTurn(userId, turnId)).state !== "running";
        if (!isDone) await store.finishTurn(userId, turnId, end);
      });
    },
  };
}

const countMessages = async (options: SaveOptions): Promise<number> => {
  const { store, userId, conversationId, turnId } = options;
  const [turn, all] = await Promise.all([
    store.getTurn(userId, turnId),
    store.listLinks(userId, conversationId),
  ]);
  return all.filter((each) => each.turnId === turnId && each.id !== turn.messageId).length;
};

const longestPauseMs = 2000;

async function tryLong(
  options: SaveOptions,
  write: (isRepeated: boolean) => Promise<unknown>,
): Promise<boolean> {
  const until = options.now() + options.saveMs;
  for (let attempt = 0; ; attempt++) {
    try {
      await write(attempt > 0);
      // Writing megabytes blocks everyone else, so they go before the next write.
      await options.loop.take();
      return true;
    } catch (error) {
      if (isLost(error)) {
        options.onLost();
        return false;
      }
      if (attempt === 0) options.onTrouble(error);
      if (!isPassing(error) || options.now() >= until) return false;
      const pauseMs = Math.min(longestPauseMs, 50 * 2 ** attempt);
      await sleep(pauseMs);
    }
  }
}

const lostCodes: ReadonlySet<string | undefined> = new Set(["turn_over", "not_found"]);

/** The turn was ended by another process, or is gone: nothing is left to store. */
const isLost = (error: unknown): boolean => isMullError(error) && lostCodes.has(error.code);

/** Failures that may pass. A value that can't be stored never can. */
const isPassing = (error: unknown): boolean => !isMullError(error) || error.retryable;

/**
 * Turns that have ended but still run according to the store. Their process is alive, so no other
 * process ends them, and until then their conversations accept no question.
 */
export interface UnendedTurns {
  readonly add: (userId: string, turnId: string, end: TurnEnd) => void;
  /** Ends them in the store. What it refuses is left for the next time. */
  readonly end: () => Promise<void>;
}

export function createUnendedTurns(store: () => Promise<Store>): UnendedTurns {
  const left = new Map<string, { readonly userId: string; readonly end: TurnEnd }>();
  return {
    add: (userId, turnId, end) => {
      left.set(turnId, { userId, end });
    },
    async end() {
      const failures: unknown[] = [];
      for (const [turnId, { userId, end }] of left) {
        try {
          await (await store()).finishTurn(userId, turnId, end);
          left.delete(turnId);
        } catch (error) {
          if (isLost(error)) left.delete(turnId);
          else failures.push(error);
        }
      }
      // One that can't be ended must not keep the others from it.
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Stores the text of unfinished blocks, for all turns of the process together. */
export interface TextSaver {
  readonly open: (turn: OpenTurn) => TurnTexts;
}

interface OpenTurn {
  readonly turnId: string;
  /** Nothing else of the turn is waiting to be stored, so the order is kept. */
  readonly isIdle: () => boolean;
  /** Another process took the turn over, or it is gone. */
  readonly onLost: () => void;
}

/** The open block of one turn. */
export interface TurnTexts {
  readonly add: (step: number, index: number, kind: TextPiece["kind"], text: string) => void;
  /**
   * A block has ended. Resolves when none of its text is under way; says where its stored texts
   * are.
   */
  readonly end: (step: number, index: number) => Promise<BlockPlace | undefined>;
  /** The open block is stored in another way, or never. Resolves like `end`. */
  readonly clear: () => Promise<void>;
}

export interface TextSaverOptions {
  readonly store: () => Promise<Store>;
  /** Longest time between text and its write. */
  readonly everyMs: () => number;
  /** Texts of these turns were stored. */
  readonly onStored: (turnIds: readonly string[]) => void;
}

interface SaidBlock {
  readonly index: number;
  readonly place: BlockPlace;
  readonly kind: TextPiece["kind"];
  stored: number;
  waiting: string;
}

/** A turn with text that is not stored yet. */
interface TextSource extends OpenTurn {
  readonly block: () => SaidBlock | undefined;
}

/** One timer and one statement for all turns: one for each would cost as much as its stream. */
export function createTextSaver({ store, everyMs, onStored }: TextSaverOptions): TextSaver {
  const waiting = new Set<TextSource>();
  let flying: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const write = async (): Promise<void> => {
    const taken = [...waiting].flatMap((turn) => takeFrom(turn));
    if (taken.length === 0) return;
    const lost = new Set(await (await store()).storeTexts(taken.map(({ piece }) => piece)));
    for (const { turn, block, piece } of taken) {
      block.stored += piece.text.length;
      block.waiting = block.waiting.slice(piece.text.length);
      if (lost.has(piece.turnId)) turn.onLost();
    }
    onStored(taken.map(({ piece }) => piece.turnId));
  };
  const plan = (): void => {
    timer ??= setTimeout(() => {
      // A store that is away is tried again: waiting text is written together with what arrives
      // meanwhile.
      flying = write()
        .catch(() => undefined)
        .finally(() => {
          timer = undefined;
          for (const turn of waiting) if (!turn.block()?.waiting) waiting.delete(turn);
          if (waiting.size > 0) plan();
        });
    }, everyMs()).unref();
  };

  return {
    open: (turn) =>
      createTurnTexts({
        settled: () => flying,
        onText: (block) => {
          waiting.add(block);
          plan();
        },
        turn,
      }),
  };
}

interface TakenText {
  readonly turn: TextSource;
  readonly block: SaidBlock;
  readonly piece: TextPiece;
}

function takeFrom(turn: TextSource): readonly TakenText[] {
  const block = turn.block();
  if (block === undefined || block.waiting === "" || !turn.isIdle()) return [];
  const { place, stored: start, kind, waiting: text } = block;
  return [{ turn, block, piece: { turnId: turn.turnId, ...place, start, kind, text } }];
}

function createTurnTexts(given: {
  readonly turn: OpenTurn;
  readonly settled: () => Promise<void>;
  readonly onText: (waiting: TextSource) => void;
}): TurnTexts {
  let step = 0;
  let ended = 0;
  let open: SaidBlock | undefined;
  /** Interleaved blocks have no order in which they could be stored before they end. */
  let isMixed = false;
  const waiting: TextSource = { ...given.turn, block: () => open };
  const enter = (next: number): void => {
    if (next === step) return;
    step = next;
    ended = 0;
    open = undefined;
    isMixed = false;
  };
  return {
    add(at, index, kind, text) {
      enter(at);
      if (open !== undefined && open.index !== index) isMixed = true;
      if (isMixed) return;
      open ??= { index, place: { step, block: ended }, kind, stored: 0, waiting: "" };
      open.waiting += text;
      given.onText(waiting);
    },
    async end(at, index) {
      enter(at);
      const block = open;
      if (block !== undefined && block.index !== index) isMixed = true;
      open = undefined;
      ended++;
      if (block === undefined) return undefined;
      await given.settled();
      return block.stored > 0 ? block.place : undefined;
    },
    async clear() {
      open = undefined;
      await given.settled();
    },
  };
}
