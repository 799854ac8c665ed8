/** Text to send, piece by piece, as fast as it is taken. */
export interface Frames {
  /** `undefined` at the end. */
  readonly next: () => Promise<string | undefined>;
  /** Nobody reads on. */
  readonly leave: () => void;
}

/** A stream as it is sent: a web response with a web stream in it costs more than what it carries. */
export interface FramesAnswer {
  readonly status: number;
  readonly headers: Map<string, string>;
  readonly frames: Frames;
}

/** What handlers answer with. Heads are read and changed the same way. */
export type Answer = Response | FramesAnswer;

/** The same for those who read web responses. */
export function toResponse(answer: Answer): Response {
  if (answer instanceof Response) return answer;
  const { status, headers, frames } = answer;
  return new Response(toWebStream(frames), { status, headers: [...headers] });
}

/** Nothing is taken before it is asked for. */
function toWebStream({ next, leave }: Frames): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const frames = await next();
        if (frames === undefined) controller.close();
        else controller.enqueue(encoder.encode(frames));
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}
