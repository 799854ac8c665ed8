import type { JsonObject } from "mull";

import { createGateway, type GatewayOptions, type GatewayReceipt } from "../index.ts";
import { keys } from "./wires.ts";

/** A gateway under test, and the receipts it wrote. */
export interface GatewaySetUp {
  readonly ask: (request: Request) => Promise<Response>;
  readonly metrics: () => string;
  readonly receipts: GatewayReceipt[];
}

/** A gateway that asks whatever `fetch` is in the options. */
export function openGateway(
  options: Partial<GatewayOptions> & Required<Pick<GatewayOptions, "fetch">>,
): GatewaySetUp {
  const receipts: GatewayReceipt[] = [];
  const gateway = createGateway({
    secret: "a secret of this test",
    env: keys,
    onRequest: (receipt) => void receipts.push(receipt),
    ...options,
  });
  return { ask: gateway.fetch, metrics: gateway.metrics, receipts };
}

/** The error in an answer of any wire. */
export async function errorOf(response: Response): Promise<JsonObject> {
  const { error } = (await response.json()) as { readonly error: JsonObject };
  return error;
}

/** A streamed answer of these frames. */
export const sse = (...frames: readonly string[]): Response =>
  new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });

const started =
  'data: {"type":"response.created","response":{"id":"resp_1","model":"gpt-6-sol","output":[]}}\n\n' +
  'data: {"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","content":[]}}\n\n';

/** One more piece of text, as OpenAI streams it. */
export const textFrame = (delta: string): string =>
  `data: ${JSON.stringify({ type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta })}\n\n`;

/** How an answer of OpenAI begins: with two letters. */
export const begunAnswer: string = started + textFrame("Fo");

/** What a service was sent, as text. */
export const sentText = ({ body }: RequestInit): string => {
  if (typeof body === "string") return body;
  return new TextDecoder().decode(body as Uint8Array);
};
