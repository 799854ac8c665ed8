/** Any client in, any model out: Claude Code, Codex, Gemini CLI and SDKs on every vendor, as one request handler. */
export { createGateway, type Gateway, type GatewayOptions } from "./gateway.ts";
export type { ClientAnswer, ClientHeaders, ClientRequest, ClientSink } from "./client-exchange.ts";
export type { GatewayReceipt } from "./receipt.ts";
export { hashKey } from "./access.ts";
