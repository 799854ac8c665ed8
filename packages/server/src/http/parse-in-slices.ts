import type { LoopShare } from "@mull/store/parts";

/** As much text as takes a few milliseconds to read, even if every name in it is different. */
const mostAtOnce = 64 * 1024;

/** A list or object whose end has not been found yet. */
interface OpenValue {
  readonly isList: boolean;
  /** The place of its bracket. */
  readonly at: number;
  /** Where the member begins that is being looked at. */
  member: number;
  /** Where the members begin that have not been read. */
  unread: number;
  /** What was read of it so far; `undefined` if it can still be read as a whole. */
  value?: unknown[] | Record<string, unknown>;
  /** The name of the member that is being read piece by piece. */
  name: string;
  /** That member has just ended, so only a comma or the end may follow. */
  isAfterPieces: boolean;
}

/**
 * What `JSON.parse` returns, without holding others up: it takes five megabytes of short names a
 * second. Whenever enough text has passed, what is before a comma is read, and others get the loop.
 */
export async function parseInSlices(text: string, loop: LoopShare): Promise<unknown> {
  const open: OpenValue[] = [];
  let readTo = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    const inner = open.at(-1);
    if (char === '"') at = endOfText(text, at);
    else if (char === "[" || char === "{") {
      if (inner === undefined) checkBlank(text.slice(0, at));
      const isList = char === "[";
      open.push({ isList, at, member: at + 1, unread: at + 1, name: "", isAfterPieces: false });
    } else if (char === "," && inner !== undefined) {
      const isDue = at - readTo > mostAtOnce;
      if (isDue) {
        readParents(text, open);
        readTo = at;
        await loop.take();
      }
      if (isDue || inner.isAfterPieces) readMembers(text, inner, at);
      inner.member = at + 1;
    } else if (char === "]" || char === "}") {
      open.pop();
      if (inner?.value === undefined) continue;
      if (inner.isList !== (char === "]")) throw notJson();
      readMembers(text, inner, at);
      const parent = open.at(-1);
      if (parent === undefined) {
        checkBlank(text.slice(at + 1));
        return inner.value;
      }
      addMember(parent, parent.name, inner.value);
      parent.unread = at + 1;
      parent.isAfterPieces = true;
    }
  }
  // Too short to be read in pieces, or it has no end, which `JSON.parse` finds out.
  return JSON.parse(text);
}

/** From here on, every list and object around this place is read piece by piece. */
function readParents(text: string, open: readonly OpenValue[]): void {
  for (const [nth, each] of open.entries()) {
    each.value ??= each.isList ? [] : {};
    const child = open[nth + 1];
    if (child === undefined || child.value !== undefined) continue;
    if (each.member > each.unread) readMembers(text, each, each.member - 1);
    const before = text.slice(each.member, child.at);
    if (each.isList) checkBlank(before);
    // `"name":` with a value is a whole object again.
    else each.name = Object.keys(JSON.parse(`{${before}0}`) as object).at(0) ?? "";
  }
}

/** Reads all up to the comma or bracket at `end`. */
function readMembers(text: string, into: OpenValue, end: number): void {
  const slice = text.slice(into.unread, end);
  into.unread = end + 1;
  if (into.isAfterPieces) {
    into.isAfterPieces = false;
    checkBlank(slice);
    return;
  }
  const [first, last] = into.isList ? "[]" : "{}";
  const members = Object.entries(JSON.parse(`${first}${slice}${last}`) as object);
  // `[1,]` would end with a slice without members, which is fine by itself.
  if (members.length === 0) throw notJson();
  for (const [name, member] of members) addMember(into, name, member);
}

function addMember({ value }: OpenValue, name: string, member: unknown): void {
  if (Array.isArray(value)) value.push(member);
  // An assignment would change what the object inherits from.
  else if (name === "__proto__" && value !== undefined) {
    Object.defineProperty(value, name, {
      value: member,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else if (value !== undefined) value[name] = member;
}

/** The place of the quote that ends the text that begins at `at`. */
function endOfText(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === "\\") before--;
    if ((end - before) % 2 === 0) return end;
  }
  throw notJson();
}

function checkBlank(text: string): void {
  if (/[^ \t\n\r]/.test(text)) throw notJson();
}

const notJson = (): Error => new SyntaxError("not JSON");
