import { createLoopShare, type LoopShare } from "@mull/store/parts";
import { encodeUIChunk, type UIChunk } from "@mull/ui-messages";

/**
 * The numbered stream of one turn. A chunk advances the number by one, and text by its length. So
 * the number after any piece of text is the same however it was cut, and a turn that is read back
 * has the same numbers as the live one.
 */
export interface TurnLog {
  readonly append: (chunk: UIChunk) => void;
  /**
   * `cutAs`: what to tell a reader who has seen more than there is, so that they don't take it for
   * complete.
   */
  readonly end: (cutAs?: UIChunk) => void;
  readonly isOver: () => boolean;
  /** The number after the last chunk. */
  readonly position: () => number;
  /**
   * What comes after a number, as text to send; waits for more until the turn is over. A number
   * that a finished turn never reached isn't a place in it, so everything is sent from the start.
   */
  readonly read: (after: number) => LogReader;
}

/** Receives what is added to a log, with the number before it. */
export interface TurnListener {
  readonly onChunk: (from: number, chunk: UIChunk) => void;
  readonly onEnd: (at: number, cutAs: UIChunk | undefined) => void;
}

export interface LogReader {
  /**
   * `undefined` at the end. A comment if nothing came for a while, so that proxies keep the
   * connection.
   */
  readonly next: () => Promise<string | undefined>;
  readonly cancel: () => void;
}

/** A chunk ready to send, or a piece of text: pieces are joined as readers take them. */
type Entry = FrameEntry | TextEntry;

interface FrameEntry {
  readonly end: number;
  readonly frame: string;
  readonly id?: undefined;
}

/** Grows until somebody reads it: pieces that nobody saw separately needn't stay separate. */
interface TextEntry {
  end: number;
  readonly type: string;
  readonly id: string;
  text: string;
}

export type DeltaChunk = UIChunk & { readonly id: string; readonly delta: string };

const beatMs = 15_000;
/** One frame on a screen: nobody notices, and a fast service costs fewer writes. */
const restMs = 16;
const largestBatch = 65_536;
const beat = ": still here\n\n";

export const isDelta = (chunk: UIChunk): chunk is DeltaChunk =>
  chunk.type === "text-delta" || chunk.type === "reasoning-delta";

const isEnd = (chunk: UIChunk): chunk is UIChunk & { readonly id: string } =>
  chunk.type === "text-end" || chunk.type === "reasoning-end";

/** How far a chunk advances the number. */
export const lengthOf = (chunk: UIChunk): number => (isDelta(chunk) ? chunk.delta.length : 1);

export function createTurnLog(
  loop: LoopShare = createLoopShare(),
  listener?: TurnListener,
): TurnLog {
  const entries: Entry[] = [];
  /** Entries before this one have been read, and no longer change. */
  let firstUnread = 0;
  const waiting = new Set<Hear>();
  let end = 0;
  let isOver = false;
  let lastWord: UIChunk | undefined;
  let isWaking = false;
  let resting: NodeJS.Timeout | undefined;
  let wokenAt = -Infinity;

  const tell = (): void => {
    isWaking = false;
    resting = undefined;
    wokenAt = performance.now();
    const now = [...waiting];
    waiting.clear();
    void tellAll(now, loop);
  };

  /** What came in one network chunk goes out in one write; what follows goes out in the next. */
  const wake = (): void => {
    if (isWaking || waiting.size === 0) return;
    isWaking = true;
    const rest = isOver ? 0 : wokenAt + restMs - performance.now();
    if (rest > 0) resting = setTimeout(tell, rest);
    // Runs once the promises are settled that are settled already, so after all that came together.
    else process.nextTick(tell);
  };

  const take = (after: number): Batch | undefined => {
    const batch = takeBatch(entries, after);
    firstUnread = entries.length;
    return batch;
  };

  /** What to tell a reader who asks for what comes after the end of a finished turn. */
  const lastAfter = (after: number): Batch | undefined => {
    if (lastWord !== undefined) {
      return { frames: encodeUIChunk(lastWord, after + 1), end: after + 1 };
    }
    return after > end ? take(0) : undefined;
  };

  return {
    append(chunk) {
      const length = lengthOf(chunk);
      if (length === 0) return;
      if (isEnd(chunk)) {
        joinDeltas(entries, chunk.id);
        firstUnread = Math.min(firstUnread, entries.length);
      }
      listener?.onChunk(end, chunk);
      end += length;
      if (isDelta(chunk)) addText(entries, firstUnread, end, chunk);
      else entries.push({ end, frame: encodeUIChunk(chunk, end) });
      wake();
    },
    end(cutAs) {
      isOver = true;
      lastWord = cutAs;
      listener?.onEnd(end, cutAs);
      if (resting !== undefined) {
        clearTimeout(resting);
        isWaking = false;
      }
      wake();
    },
    isOver: () => isOver,
    position: () => end,
    read: (after) => createReader({ after, take, lastAfter, isOver: () => isOver, waiting }),
  };
}

/** Called when there is news. */
type Hear = () => void;

interface Batch {
  readonly frames: string;
  readonly end: number;
}

interface ReaderParts {
  readonly after: number;
  readonly take: (after: number) => Batch | undefined;
  readonly lastAfter: (after: number) => Batch | undefined;
  readonly isOver: () => boolean;
  /** Called once, at the next news. */
  readonly waiting: Set<Hear>;
}

/** One timer and one promise at a time: a stream may wait for every word. */
function createReader(parts: ReaderParts): LogReader {
  const { after, take, isOver, waiting } = parts;
  let at = after;
  let isLeft = false;
  let settle: ((frames: string | undefined) => void) | undefined;
  let silence: NodeJS.Timeout | undefined;

  const answer = (frames: string | undefined): void => {
    settle?.(frames);
    settle = undefined;
  };
  const leave = (): undefined => {
    clearTimeout(silence);
    return undefined;
  };
  /** `false`: nothing yet. */
  const look = (): string | undefined | false => {
    if (isLeft) return leave();
    // A reader that has read anything here has read the end, or will.
    const batch = take(at) ?? (isOver() && at === after ? parts.lastAfter(at) : undefined);
    if (batch === undefined) return isOver() ? leave() : false;
    at = batch.end;
    return batch.frames;
  };
  const hear = (): void => {
    if (settle === undefined) return;
    const frames = look();
    if (frames === false) waiting.add(hear);
    else answer(frames);
  };

  return {
    next() {
      const frames = look();
      if (frames !== false) return Promise.resolve(frames);
      if (silence === undefined) silence = setTimeout(() => answer(beat), beatMs);
      else silence.refresh();
      return new Promise((resolve) => {
        settle = resolve;
        waiting.add(hear);
      });
    },
    cancel() {
      isLeft = true;
      waiting.delete(hear);
      answer(leave());
    },
  };
}

/** So few readers take less time than a round of the loop costs. */
const fewReaders = 16;

/**
 * Ten thousand readers of a turn are informed over many rounds of the loop, because others need it,
 * too.
 */
async function tellAll(readers: readonly Hear[], loop: LoopShare): Promise<void> {
  for (const [nth, hear] of readers.entries()) {
    if (nth % fewReaders === fewReaders - 1) await loop.take();
    hear();
  }
}

function addText(
  entries: Entry[],
  firstUnread: number,
  end: number,
  { type, id, delta }: DeltaChunk,
): void {
  const last = entries.length > firstUnread ? entries.at(-1) : undefined;
  if (last?.id === id) {
    last.text += delta;
    last.end = end;
  } else entries.push({ end, type, id, text: delta });
}

/**
 * Joins the last pieces of a finished block; a reader who asks for a place inside gets the rest of
 * it. Blocks may be interleaved, so pieces of another block aren't joined.
 */
function joinDeltas(entries: Entry[], id: string): void {
  let first = entries.length;
  while (first > 0 && entries[first - 1]!.id === id) first--;
  if (entries.length - first < 2) return;
  const pieces = entries.splice(first) as TextEntry[];
  entries.push({ ...pieces.at(-1)!, text: pieces.map(({ text }) => text).join("") });
}

function takeBatch(entries: readonly Entry[], after: number): Batch | undefined {
  let index = firstAfter(entries, after);
  if (index === entries.length) return undefined;
  let frames = "";
  let at = after;
  while (index < entries.length && frames.length < largestBatch) {
    const entry = entries[index]!;
    if (entry.id === undefined) {
      frames += entry.frame;
      at = entry.end;
      index++;
    } else {
      const { id, type } = entry;
      let delta = "";
      for (let next = entries[index]; next?.id === id; next = entries[index]) {
        const piece = pieceOf(next.text, next.end, at, largestBatch - delta.length);
        delta += piece;
        at += piece.length;
        if (at < next.end) break;
        index++;
      }
      frames += encodeUIChunk({ type, id, delta }, at);
    }
  }
  return { frames, end: at };
}

/** The part of a text that ends at a number and comes after another number, no more than fits. */
const pieceOf = (text: string, end: number, after: number, room: number): string => {
  const start = Math.max(0, text.length - (end - after));
  return start === 0 && text.length <= room ? text : text.slice(start, start + Math.max(1, room));
};

function firstAfter(entries: readonly Entry[], after: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.end > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
