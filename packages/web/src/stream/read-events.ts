/** A piece of a turn and its number: what to ask for the rest by. */
export interface TurnEvent {
  readonly id: number;
  readonly data: string;
}

/**
 * Reads the server's own events: lines end in LF, every event has one line of data. A batch is
 * empty if only a sign of life came. Ends early when `signal` says so.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent[]> {
  const reader = body.getReader();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", leave);
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const text = rest + decoder.decode(value, { stream: true });
      const end = text.lastIndexOf("\n\n");
      if (end === -1) {
        rest = text;
        continue;
      }
      rest = text.slice(end + 2);
      yield text.slice(0, end).split("\n\n").flatMap(readEvent);
    }
  } finally {
    signal.removeEventListener("abort", leave);
    await reader.cancel().catch(() => undefined);
  }
}

function readEvent(frame: string): readonly TurnEvent[] {
  let id = Number.NaN;
  let data: string | undefined;
  for (const line of frame.split("\n")) {
    if (line.startsWith("data: ")) data = line.slice(6);
    else if (line.startsWith("id: ")) id = Number(line.slice(4));
  }
  return data === undefined ? [] : [{ id, data }];
}
