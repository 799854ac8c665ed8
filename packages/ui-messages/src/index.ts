/** UI messages and UI message streams of the AI SDK, and valid thinking for chat backends. */
export { decisionsIn, type CallDecision } from "./decisions.ts";
export { fromUIMessages, type FromUIOptions } from "./from-ui.ts";
export type { ForeignOrigin } from "./foreign-seals.ts";
export { toUIMessages, type ToUIOptions } from "./to-ui.ts";
export type { ProviderMetadata, UIMessage, UIPart } from "./ui-message.ts";
export {
  createUIWriter,
  encodeUIChunk,
  toUIStream,
  uiStreamEnd,
  uiStreamHeaders,
  type UIChunk,
  type UIEvent,
  type UIStreamOptions,
  type UIWriter,
} from "./ui-stream.ts";
export {
  createChatTransport,
  type ChatRequest,
  type ChatResumption,
  type ChatTransport,
  type ChatTransportOptions,
} from "./chat-transport.ts";
export type { ChatMessage, ChatPart, Log } from "./chat-message.ts";
export {
  compliancePipeline,
  ensureThinkingBlockCompliance,
  validateThinkingCompliance,
  type ComplianceFinding,
  type ComplianceOptions,
  type ComplianceResult,
  type ComplianceStrategy,
} from "./compliance.ts";
export { convertReasoningToThinking } from "./convert-reasoning.ts";
export { ensureToolMessageStructure } from "./split-tools.ts";
