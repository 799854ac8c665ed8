/** For builders of gateways, emulators, stores and pages: every wire from both sides, frames, logged answers. */
export { openCalls } from "./agent/open-calls.ts";
export { addUsage, toReadable } from "./agent/result.ts";
export type { ReadableMessage, ReadablePart } from "./agent/result.ts";
export { resolveChoice, streamOver, type PassedStream } from "./chat/ask.ts";
export { thinkingFieldsOf } from "./chat/receipt.ts";
export { accountOf, connect, urlOf, type Connection } from "./chat/connection.ts";
export { hasAnyKey, hasKey, usualModel } from "./chat/usual-model.ts";
export { whyNextModel, type AskedModel } from "./chat/next-model.ts";
export { readExchange, type Exchange } from "./chat/exchange.ts";
export { unifiedFinish } from "./chat/unified-finish.ts";
export { readRefusal } from "./chat/read-refusal.ts";
export { grouped, levelOfEffort, levelOfGoogle, plural } from "./dial/words.ts";
export { effortInForce } from "./wire/common/effort-in-body.ts";
export { jsonSchemaOf } from "./wire/google-generate/client/open-api-schema.ts";
export { mirrors } from "./wire/mirrors.ts";
export { replyDecoders } from "./wire/reply-decoders.ts";
export { counters } from "./wire/counters.ts";
export { wires } from "./wire/wires.ts";
export { historyVersion } from "./history/history.ts";
export { effortOf } from "./history/effort-updates.ts";
export { whyUnreadable, type Reader } from "./history/fit-assistant.ts";
export {
  createFraming,
  encodeSse,
  type Framing,
  type FramingOptions,
} from "./transport/framing.ts";
export type { AnswerHeaders, HttpAnswer, Post, PostInit } from "./transport/answer.ts";
export { nodePost } from "./transport/node-client.ts";
export { createScrubber } from "./transport/failure.ts";
export { createRetryBudget, type RetryBudget } from "./transport/send.ts";
export { errorCategories, portTaken } from "./types/error.ts";
export type { HttpFailure, ServerSentEvent } from "./types/http.ts";
export { isJsonObject } from "./types/json.ts";
export { wireIds } from "./types/message.ts";
export type { Effort, GoogleLevel } from "./types/model.ts";
export type { Capability } from "./types/provider.ts";
export type { Quirks } from "./types/quirks.ts";
export type { WireRequest } from "./types/request.ts";
export type {
  DecodeContext,
  Encoded,
  EncodeTarget,
  ReplyDecoder,
  ServeContext,
  ServeError,
  StreamDecoder,
  StreamWriter,
  TokenCounter,
  Wire,
  WireMirror,
} from "./types/wire.ts";
