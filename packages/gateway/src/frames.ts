import { encodeSse, type ServerSentEvent } from "mull/wire";

/** Writes the frames of a streamed body. */
export interface FrameWriter {
  readonly isArray: boolean;
  readonly write: (frame: ServerSentEvent) => string;
  readonly end: () => string;
}

/** Only Google's frames, which have no name, may hold line breaks: in arguments, which are written as they arrived. */
const eventOf = (frame: ServerSentEvent): string =>
  frame.event === undefined ? encodeSse(frame) : `event: ${frame.event}\ndata: ${frame.data}\n\n`;

/** Server-sent events, or Google's JSON array if the client does not ask for events. */
export function createFrameWriter(isArray: boolean): FrameWriter {
  if (!isArray) return { isArray, write: eventOf, end: () => "" };
  let count = 0;
  return {
    isArray,
    write: ({ data }) => `${count++ === 0 ? "[" : ","}${data}\r\n`,
    end: () => (count === 0 ? "[]" : "]"),
  };
}
