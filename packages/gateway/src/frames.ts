import { encodeSse, type ServerSentEvent } from "mull/wire";

/** Writes the frames of a streamed body. */
export interface FrameWriter {
  readonly isArray: boolean;
  readonly write: (frame: ServerSentEvent) => string;
  readonly end: () => string;
}

/** Server-sent events, or Google's JSON array for who does not ask for events. */
export function createFrameWriter(isArray: boolean): FrameWriter {
  if (!isArray) return { isArray, write: encodeSse, end: () => "" };
  let count = 0;
  return {
    isArray,
    write: ({ data }) => `${count++ === 0 ? "[" : ","}${data}\r\n`,
    end: () => (count === 0 ? "[]" : "]"),
  };
}
