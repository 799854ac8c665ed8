/** Text to send, piece by piece, as fast as it is taken. */
export interface Frames {
  /** `undefined` at the end. */
  readonly next: () => Promise<string | undefined>;
  /** Nobody reads on. */
  readonly leave: () => void;
}

const known = new WeakMap<Response, Frames>();

/** An answer that carries its frames beside it: a web stream per turn costs more than what it carries. */
export function carryFrames(response: Response, frames: Frames): Response {
  known.set(response, frames);
  return response;
}

export const framesOf = (response: Response): Frames | undefined => known.get(response);

/** Frames for those who read web streams. Nothing is taken before it is asked for. */
export function toWebStream({ next, leave }: Frames): ReadableStream<Uint8Array> {
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
