import type { Store } from "@mull/store";
import type { BlockPlace, TextPiece } from "@mull/store/parts";

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
