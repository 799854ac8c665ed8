/** Everything a program calls: agents, single requests, conversations, models, thinking plans, checks. */
export { Agent } from "./agent/agent.ts";
export type { AgentChunk, AgentEvent, AgentStream } from "./agent/turn-stream.ts";
export { createBudget } from "./agent/budget.ts";
export type { Budget, BudgetLimits, Spent } from "./agent/budget.ts";
export type {
  AgentOptions,
  CompactOptions,
  SendTurnOptions,
  TurnProgress,
  UseOptions,
} from "./agent/options.ts";
export type { Decision, PendingCall } from "./agent/open-calls.ts";
export { compact, type Compacted } from "./agent/compact.ts";
export type { SavedAgent } from "./agent/saved-agent.ts";
export { sumReceipts, textOf } from "./agent/result.ts";
export type { AgentResult, ThinkingBlock } from "./agent/result.ts";
export { tool } from "./agent/tool.ts";
export type { Tool, ToolContext, ToolOptions } from "./agent/tool.ts";
export { chat, streamChat, type ModelChoice } from "./chat/ask.ts";
export { costOf } from "./catalogue/cost.ts";
export { findModel, type FindModelOptions } from "./catalogue/find-model.ts";
export { providerName } from "./catalogue/find-model.ts";
export type { ChatResult, ChatStream, SentRequest } from "./chat/chat.ts";
export type { ChatOptions } from "./chat/request-options.ts";
export { compose, type ChatTarget, type ComposeContext, type Composed } from "./chat/compose.ts";
export { countTokens, type TokenCount } from "./chat/count-tokens.ts";
export { findKey, type ConnectionOptions, type Environment } from "./chat/connection.ts";
export {
  describeLevel,
  describePlan,
  describeRoom,
  describeSending,
  type DescribeOptions,
} from "./dial/describe.ts";
export { parseLevel } from "./dial/level.ts";
export { mapLevel } from "./dial/plan.ts";
export { planThinking, type PlanAsk } from "./dial/plan.ts";
export { parseModelRef, type ModelRef } from "./dial/ref.ts";
export { estimateTokens } from "./history/estimate.ts";
export { History, type HistoryEntry, type HistoryJson } from "./history/history.ts";
export {
  lint,
  repair,
  type LintReport,
  type LintRequest,
  type RepairOptions,
  type RepairReport,
} from "./rules/lint.ts";
export { findProvider, providers, resolveModel } from "./providers/index.ts";
export type { TimeLimits } from "./transport/deadline.ts";
export type { Cost } from "./types/usage.ts";
export { isMullError, MullError } from "./types/error.ts";
export type { ErrorCategory, MullErrorFields } from "./types/error.ts";
export type { Finish, FinishReason, Reply, StreamEvent } from "./types/event.ts";
export type { Fetch, HeaderFields } from "./types/http.ts";
export type { DeepPartial, JsonObject, JsonValue } from "./types/json.ts";
export { levels, type Level } from "./types/level.ts";
export type {
  AssistantMessage,
  AssistantPart,
  FilePart,
  Message,
  OpaquePart,
  Origin,
  Part,
  Seal,
  SystemMessage,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
  UserMessage,
  UserPart,
  WireExtra,
  WireId,
} from "./types/message.ts";
export type { LevelValue, Model, Price, ThinkingTraits } from "./types/model.ts";
export type { Observation, Observe, ToolRun } from "./types/observation.ts";
export type {
  Attempt,
  CacheMiss,
  CacheReport,
  FailedModel,
  FallbackReason,
  HistoryChange,
  Note,
  Receipt,
  Repair,
  ServiceReport,
  ThinkingPlan,
  ThinkingSetting,
} from "./types/plan.ts";
export type { Provider } from "./types/provider.ts";
export type {
  CacheHints,
  ChatRequest,
  OutputFormat,
  OutputWish,
  Sampling,
} from "./types/request.ts";
export type { Finding } from "./types/rule.ts";
export type { StandardSchema } from "./types/standard-schema.ts";
export type { AnyTool, ToolChoice, ToolSpec, VendorTool } from "./types/tool.ts";
export type { Usage } from "./types/usage.ts";
