import type { Environment, Fetch, JsonObject, Observe, WireId } from "mull";

import type { ClientHeaders } from "./client-exchange.ts";
import type { ServiceConnection } from "./connections.ts";
import type { SentBytes } from "./read-body.ts";
import { receiptHeader, type ReceiptDraft } from "./receipt.ts";
import type { AskedRoute } from "./route.ts";
import type { SealCodec } from "./seal-codec.ts";
import { requestIdHeader } from "./write-error.ts";

/** One request of a client, read as far as its wire goes. */
export interface ClientCall {
  readonly route: AskedRoute;
  readonly wire: WireId;
  readonly method: string;
  readonly url: URL;
  readonly headers: ClientHeaders;
  /** The body as the client sent it. */
  readonly sent: SentBytes;
  readonly body: JsonObject;
  readonly text: string;
  /** The model that was asked for. */
  readonly asked: string;
  readonly stream: boolean;
  readonly id: string;
  /** Aborts when the client goes. */
  readonly signal: AbortSignal;
  readonly key: string | undefined;
  readonly receipt: ReceiptDraft;
}

/** What every request of a gateway shares. */
export interface GatewayParts {
  readonly codec: SealCodec;
  readonly env: Environment;
  /** By provider, with the gateway's own key: its fingerprint is made once. */
  readonly ownConnections: Map<string, ServiceConnection>;
  readonly fetch: Fetch | undefined;
  readonly observe: Observe | undefined;
  readonly isSimulated: boolean;
  /** Clients may bring keys of their own, so the gateway itself asks for none. */
  readonly takesClientKeys: boolean;
  readonly now: () => number;
  readonly pingMs: number;
}

/** The headers of every answer: its id, and what is known before the first byte. */
export const answerHead = ({
  wire,
  id,
  receipt,
}: ClientCall): Readonly<Record<string, string>> => ({
  [requestIdHeader(wire)]: id,
  "x-mull-receipt": receiptHeader(receipt),
});

/** A name for an answer, in the style of its wire. */
export function newAnswerId(wire: WireId): string {
  const id = crypto.randomUUID().replaceAll("-", "");
  switch (wire) {
    case "anthropic-messages":
      return `msg_${id}`;
    case "openai-responses":
      return `resp_${id}`;
    case "openai-chat":
      return `chatcmpl-${id}`;
    case "google-generate":
      return id.slice(0, 22);
    default:
      return wire satisfies never;
  }
}
