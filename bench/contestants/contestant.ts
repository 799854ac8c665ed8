import type { Fetch, WireId } from "mull";
import type { Tally } from "../streams.ts";

/** One way to read a streamed answer. */
export interface Contestant {
  readonly name: string;
  /** `floor` and `pump` are yardsticks; `raw` hands out wire events as they are; `unified` is what mull does. */
  readonly kind: "floor" | "pump" | "mull" | "raw" | "unified";
  readonly wires: readonly WireId[];
  /** Sends one request through `fetch`, iterates the answer event by event, accumulates it. */
  readonly read: (
    wire: WireId,
    fetch: Fetch,
    baseUrl?: string,
    /** Called when the first thinking or text has come. Peers do not call it. */
    onFirst?: () => void,
  ) => Promise<Tally>;
}

export const everyWire: readonly WireId[] = [
  "anthropic-messages",
  "openai-responses",
  "openai-chat",
  "google-generate",
];
