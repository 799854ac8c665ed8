type TagKind = "thinking" | "text";
export type TagPair = readonly [open: string, close: string];

/** Where the pieces go; `pair` names the tags a piece of thinking stood between. */
type TagSink = (kind: TagKind, piece: string, pair: TagPair) => void;

export interface TagSplitter {
  readonly push: (text: string, sink: TagSink) => void;
  /** What was held back in case it became a tag. */
  readonly flush: (sink: TagSink) => void;
}

interface Marker {
  readonly text: string;
  readonly pair: TagPair;
  /** What the text after the marker is. */
  readonly next: TagKind;
}

/**
 * Splits inline thinking out of a text that arrives in pieces. A tag may be cut anywhere, so at most
 * one character less than the longest tag is held back. A closing tag without an opening one is dropped. The
 * line breaks with which chat templates surround the tags belong to neither side.
 */
export function createTagSplitter(pairs: readonly TagPair[], impliedOpen = false): TagSplitter {
  const openers = pairs.map((pair): Marker => ({ text: pair[0], pair, next: "thinking" }));
  const closers = pairs.flatMap((pair): readonly Marker[] => [
    { text: `\n${pair[1]}`, pair, next: "text" },
    { text: pair[1], pair, next: "text" },
  ]);
  const strays = closers.filter((marker) => !marker.text.startsWith("\n"));
  const inText = [...openers, ...strays];
  let kind: TagKind = impliedOpen ? "thinking" : "text";
  let pair = pairs[0] as TagPair;
  let markers: readonly Marker[] = impliedOpen ? [...openers, ...closers] : inText;
  let breaksToSkip = 0;
  let held = "";

  const emit = (piece: string, sink: TagSink): void => {
    let from = 0;
    while (breaksToSkip > 0 && piece.charCodeAt(from) === 10) {
      from++;
      breaksToSkip--;
    }
    if (from === piece.length) return;
    breaksToSkip = 0;
    sink(kind, from === 0 ? piece : piece.slice(from), pair);
  };

  const enter = (marker: Marker): void => {
    kind = marker.next;
    pair = marker.pair;
    markers = kind === "text" ? inText : closers.filter((closer) => closer.pair === pair);
    breaksToSkip = kind === "text" ? 2 : 1;
  };

  const push = (text: string, sink: TagSink): void => {
    let rest = held + text;
    for (;;) {
      const found = findFirst(rest, markers);
      if (found === undefined) break;
      emit(rest.slice(0, found.at), sink);
      rest = rest.slice(found.at + found.marker.text.length);
      enter(found.marker);
    }
    const keep = tailThatMayBecome(rest, markers);
    held = rest.slice(rest.length - keep);
    emit(rest.slice(0, rest.length - keep), sink);
  };

  const flush = (sink: TagSink): void => {
    const rest = held;
    held = "";
    emit(rest, sink);
  };

  return { push, flush };
}

function findFirst(
  text: string,
  markers: readonly Marker[],
): { readonly at: number; readonly marker: Marker } | undefined {
  let first: { readonly at: number; readonly marker: Marker } | undefined;
  for (const marker of markers) {
    const at = text.indexOf(marker.text);
    if (at >= 0 && (first === undefined || at < first.at)) first = { at, marker };
  }
  return first;
}

/** Length of the longest end of `text` that is the beginning of a marker. */
function tailThatMayBecome(text: string, markers: readonly Marker[]): number {
  let longest = 0;
  for (const marker of markers) {
    const most = Math.min(marker.text.length - 1, text.length);
    for (let length = most; length > longest; length--) {
      if (text.endsWith(marker.text.slice(0, length))) longest = length;
    }
  }
  return longest;
}
