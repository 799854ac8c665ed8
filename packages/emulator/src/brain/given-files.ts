import type { FilePart, Message, Part } from "mull";

/** A file that was sent with a question. */
export interface GivenFile {
  readonly name: string;
  readonly mediaType: string;
  /** The text of a text file, up to the limit that the brain reads. */
  readonly text?: string;
}

/** Characters that the brain reads of one file. */
const most = 200_000;

/** Some programs put text files into the question: `<file name="a.md">…</file>`, or quoted after their name. */
const written: readonly RegExp[] = [
  /^<file name="((?:[^"\\]|\\.)*)">\n([^]*)\n<\/file>$/,
  /^The file (.{1,200}):\n"""\n([^]*)\n"""$/,
];

const textTypes = /^text\/|[/+](?:json|xml|(?:x-)?yaml|toml|javascript|x-sh|sql)$/;

/** Four characters of base64 are three bytes. A character that was cut in half is left out. */
const textIn = (base64: string): string => {
  const bytes = atob(base64.slice(0, Math.ceil(most / 3) * 4));
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
};

const ofPart = ({ mediaType, source, name }: FilePart): GivenFile => ({
  name: name ?? "the file",
  mediaType,
  ...(source.type === "base64" && textTypes.test(mediaType) && { text: textIn(source.data) }),
});

/** The file that a part holds; `undefined` for words. */
export function fileIn(part: Part): GivenFile | undefined {
  if (part.type === "file") return ofPart(part);
  if (part.type !== "text") return undefined;
  for (const pattern of written) {
    const [, name, text] = pattern.exec(part.text) ?? [];
    if (name !== undefined && text !== undefined) {
      return { name, mediaType: "text/plain", text: text.slice(0, most) };
    }
  }
  return undefined;
}

/** Less than that is a sentence of the question. */
const leastPasted = 200;
const longestQuestion = 300;

/**
 * A long text with a short question after an empty line, as `mull "Summarise this" < a.md` sends
 * it.
 */
export function pastedIn(
  text: string,
): { readonly file: GivenFile; readonly asked: string } | undefined {
  const whole = text.trimEnd();
  const end = whole.lastIndexOf("\n\n");
  const asked = whole.slice(end + 2).trim();
  if (end < leastPasted || asked.length > longestQuestion || asked.includes("\n")) return undefined;
  const file = {
    name: "the text",
    mediaType: "text/plain",
    text: whole.slice(0, Math.min(end, most)),
  };
  return { file, asked };
}

/** Files of the last message that has any: `what does the file say?` may come a few questions later. */
export function lastFiles(messages: readonly Message[]): readonly GivenFile[] {
  for (const message of messages.toReversed()) {
    if (message.role !== "user") continue;
    const files = message.parts.flatMap((part) => fileIn(part) ?? []);
    if (files.length > 0) return files;
  }
  return [];
}
