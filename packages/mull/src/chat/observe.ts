import type { Post } from "../transport/answer.ts";
import type { StreamEvent } from "../types/event.ts";
import type { Happening, Observation, Observe } from "../types/observation.ts";
import type { Attempt, Receipt, Repair } from "../types/plan.ts";
import { newCallId } from "./call-id.ts";
import type { Composed } from "./compose.ts";
import type { ChatOptions } from "./request-options.ts";

type Tell = (happening: Happening) => void;

/**
 * Tells an observer what happens, in order, and after the work itself: the request is on its way before the
 * observer hears of it. An observer that throws or rejects changes nothing.
 */
export function teller(
  { observe, clock = Date.now }: Pick<ChatOptions, "observe" | "clock">,
  about: Pick<Observation, "requestId" | "turnId" | "step">,
): Tell | undefined {
  if (observe === undefined) return undefined;
  return (happening) => {
    const observation = { ...happening, ...about, at: clock() };
    queueMicrotask(() => void inform(observe, observation));
  };
}

async function inform(observe: Observe, observation: Observation): Promise<void> {
  try {
    await observe(observation);
  } catch {
    // An observer that fails must not fail the turn.
  }
}

/** Starts work inside what an observer puts around it. An observer that fails, or does not start it, changes nothing. */
export function startInside<T>(
  around: ((run: () => void) => unknown) | undefined,
  work: () => T | Promise<T>,
): Promise<T> {
  let outcome: Promise<T> | undefined;
  const start = (): Promise<T> => (outcome ??= (async () => work())());
  void (async () => around?.(() => void start()))().catch(() => undefined);
  return start();
}

/** What the observer of one request is told, and when. */
export class RequestWatch {
  readonly #tell: Tell;
  #told = { repairs: 0, attempts: 0, sent: 0 };
  #hasBegun = false;
  #isOver = false;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  composed({ plan, request, notes }: Composed, endpoint: string): void {
    this.#tell({ type: "composed", plan, request, notes, endpoint });
  }

  /** The same way of posting, which says what is sent and why it is sent again. */
  post(through: Post, attempts: readonly Attempt[], repairs: readonly Repair[]): Post {
    return (url, init) => {
      const told = this.#told;
      const [repaired, failed] = [
        repairs.slice(told.repairs),
        attempts.slice(told.attempts).at(-1),
      ];
      for (const repair of repaired) this.#tell({ type: "repair", repair });
      const attempt = told.sent + 1;
      // After a repair another body is sent, which isn't a retry.
      if (failed !== undefined && repaired.length === 0)
        this.#tell({ type: "retry", attempt, failed });
      this.#told = { repairs: repairs.length, attempts: attempts.length, sent: attempt };
      this.#tell({ type: "sent", attempt });
      return through(url, init);
    };
  }

  /** Follows what comes of the answer. */
  async follow(
    coming: Promise<StreamEvent[]>,
    receipt: () => Receipt | undefined,
  ): Promise<StreamEvent[]> {
    try {
      const events = await coming;
      if (!this.#hasBegun && events.length > 0) this.#tell({ type: "first-byte" });
      this.#hasBegun = true;
      const last = events.at(-1);
      if (last?.type === "finish") this.#end(receipt(), { reply: last.reply });
      return events;
    } catch (error) {
      this.#end(receipt(), { error });
      throw error;
    }
  }

  /** The reader has left. */
  left(receipt: Receipt | undefined): void {
    this.#end(receipt, {});
  }

  #end(
    receipt: Receipt | undefined,
    how: Pick<Extract<Happening, { type: "end" }>, "reply" | "error">,
  ): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#tell({ type: "end", ...(receipt && { receipt }), ...how });
  }
}

/** The watch of a request with an observer. */
export function watchOf(options: ChatOptions): RequestWatch | undefined {
  if (options.observe === undefined) return undefined;
  const tell = teller(options, { requestId: newCallId() });
  return tell && new RequestWatch(tell);
}
