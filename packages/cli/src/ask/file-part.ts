import { basename, extname } from "node:path";

import type { UserPart } from "mull";

import { UsageError } from "../frame/usage-error.ts";

const mediaTypes: ReadonlyMap<string, string> = new Map([
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".gif", "image/gif"],
  [".webp", "image/webp"],
  [".pdf", "application/pdf"],
]);

/** A file as a part of the question: text is quoted, images and PDF are files. */
export function filePart(path: string, bytes: Buffer): UserPart {
  const name = basename(path);
  const mediaType = mediaTypes.get(extname(path).toLowerCase());
  if (mediaType !== undefined) {
    return {
      type: "file",
      mediaType,
      source: { type: "base64", data: bytes.toString("base64") },
      name,
    };
  }
  if (bytes.includes(0))
    throw new UsageError(`${name} is neither text nor one of: ${[...mediaTypes.keys()].join(" ")}`);
  const text = `<file name=${JSON.stringify(name)}>\n${bytes.toString("utf8")}\n</file>`;
  return { type: "text", text };
}

const opening = /^<file name=("(?:[^"\\]|\\.)*")>\n/;

/** The name of a file that went with a question, in whichever form; absent for words. */
function nameOf(part: UserPart): string | undefined {
  if (part.type === "file") return part.name ?? "file";
  if (part.type !== "text") return undefined;
  const written = opening.exec(part.text)?.[1];
  return written === undefined ? undefined : (JSON.parse(written) as string);
}

export const isFilePart = (part: UserPart): boolean => nameOf(part) !== undefined;

/** A question as people wrote it, with the names of its files in front. */
export const describeQuestion = (parts: readonly UserPart[]): string =>
  parts
    .flatMap((part) => {
      const name = nameOf(part);
      if (name !== undefined) return [`[${name}]`];
      return part.type === "text" ? [part.text] : [];
    })
    .join(" ");

/** Files go before the words that are about them. */
export function withFiles(
  input: string | readonly UserPart[],
  files: readonly UserPart[],
): string | readonly UserPart[] {
  if (files.length === 0) return input;
  return [
    ...files,
    ...(typeof input === "string" ? [{ type: "text" as const, text: input }] : input),
  ];
}
