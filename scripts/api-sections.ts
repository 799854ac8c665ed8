/**
 * Everything the packages export, entry by entry, in the order of the API pages. `docs-api.ts` writes
 * the pages from it, and `test/exports.test.ts` holds the entries to it: a name that is not here is
 * not exported.
 */
export const apiSections: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mull: {
    "Agents and tools":
      "Agent AgentOptions compact CompactOptions Compacted SavedAgent PendingCall Decision SendTurnOptions TurnProgress UseOptions createBudget Budget BudgetLimits Spent AgentResult ThinkingBlock AgentStream AgentChunk AgentEvent " +
      "tool Tool ToolOptions ToolContext ToolSpec VendorTool AnyTool ToolChoice StandardSchema",
    "One request":
      "chat streamChat ModelChoice ChatRequest ChatOptions ChatResult ChatStream SentRequest StreamEvent Reply Finish FinishReason " +
      "Sampling OutputFormat OutputWish CacheHints ConnectionOptions TimeLimits Fetch HeaderFields",
    Conversations:
      "History HistoryJson HistoryEntry Message SystemMessage UserMessage AssistantMessage ToolMessage " +
      "Part UserPart AssistantPart TextPart ThinkingPart ToolCallPart ToolResultPart FilePart OpaquePart " +
      "Seal Origin WireExtra textOf estimateTokens",
    "Receipts and cost":
      "Observe Observation ToolRun Receipt Attempt CacheReport CacheMiss FailedModel FallbackReason Note HistoryChange Repair ServiceReport Usage Cost costOf sumReceipts",
    Thinking:
      "levels Level parseLevel planThinking PlanAsk ThinkingPlan ThinkingSetting mapLevel LevelValue " +
      "describePlan DescribeOptions describeLevel describeSending describeRoom",
    "Models and providers":
      "resolveModel parseModelRef ModelRef findModel FindModelOptions Model ThinkingTraits Price " +
      "providers findProvider Provider providerName findKey Environment WireId",
    "Requests before they are sent":
      "countTokens TokenCount compose ChatTarget ComposeContext Composed lint LintRequest LintReport Finding repair RepairOptions RepairReport",
    Errors: "MullError isMullError ErrorCategory MullErrorFields",
    JSON: "DeepPartial JsonObject JsonValue",
  },
  "mull/core": {
    "Agents and requests without a catalogue":
      "Agent targetOf tool createBudget History AgentOptions openChat ChatHooks ChatTarget ChatRequest ChatOptions ChatResult ChatStream StreamEvent MullError isMullError",
  },
  "mull/lean": {
    "One turn": "streamTurn LeanTarget LeanRequest LeanOptions StreamEvent MullError isMullError",
  },
  "mull/anthropic": { Anthropic: "anthropic anthropicMessages" },
  "mull/openai": { OpenAI: "openai openaiChatProvider openaiResponses openaiChat" },
  "mull/google": { Google: "google googleGenerate" },
  "mull/wire": {
    Wires:
      "wires wireIds replyDecoders ReplyDecoder counters TokenCounter Wire WireRequest EncodeTarget Encoded DecodeContext StreamDecoder Quirks Effort GoogleLevel Capability",
    Mirrors: "mirrors WireMirror jsonSchemaOf StreamWriter ServeContext ServeError ServerSentEvent",
    "Bytes and logged answers":
      "createFraming Framing FramingOptions encodeSse readExchange Exchange isJsonObject errorCategories portTaken",
    "Around a request":
      "nodePost Post PostInit HttpAnswer AnswerHeaders resolveChoice streamOver PassedStream whyNextModel AskedModel hasAnyKey hasKey usualModel accountOf connect urlOf Connection readRefusal HttpFailure " +
      "levelOfEffort levelOfGoogle thinkingFieldsOf effortOf effortInForce whyUnreadable Reader createRetryBudget RetryBudget addUsage " +
      "openCalls toReadable ReadableMessage ReadablePart historyVersion",
    "Words for people": "grouped plural createScrubber unifiedFinish",
  },
  "mull/rules": {
    "Rules and repairs":
      "repairingFetch RepairingFetchOptions RepairedRequest AnyFetch rulesOf Rule RuleInput SealVerdict applyRules Applied heal Refused Healed",
    "Prepared histories": "prepare PrepareTarget Prepared OpenLoopPolicy",
  },
  "mull/node": { Keys: "loadCredentials storeCredential removeCredential CredentialOptions" },
  "@mull/ui-messages": {
    "UI messages":
      "toUIMessages ToUIOptions fromUIMessages FromUIOptions ForeignOrigin UIMessage UIPart ProviderMetadata " +
      "decisionsIn CallDecision",
    Streams:
      "toUIStream UIStreamOptions encodeUIChunk uiStreamHeaders uiStreamEnd UIChunk UIEvent createUIWriter UIWriter createChatTransport ChatTransport ChatTransportOptions ChatRequest ChatResumption",
    "Thinking in chat backends":
      "compliancePipeline convertReasoningToThinking ensureToolMessageStructure ensureThinkingBlockCompliance " +
      "validateThinkingCompliance ComplianceOptions ComplianceStrategy ComplianceResult ComplianceFinding " +
      "ChatMessage ChatPart Log",
  },
  "@mull/ai-sdk": {
    "AI SDK 7": "mull createMull MullModels MullSettings MullCallOptions readReceipt",
  },
  "@mull/ai-sdk/v6": {
    "AI SDK 6": "mull createMull MullModels6 MullSettings MullCallOptions readReceipt",
  },
  "@mull/otel": { OpenTelemetry: "otel OtelOptions flushTelemetry" },
  "@mull/mcp": {
    "MCP servers": "mcpTools McpOptions McpTools McpServers McpServer McpApproval readMcpServers",
  },
  "@mull/emulator": {
    "The emulator": "emulate EmulatorOptions Emulator JournalEntry Clock",
    Scripts:
      "script Script When Action thinks says calls redacts omits refuses fails cuts stalls parseScripts",
    Faults: "Fault PlannedFaults Failure",
  },
  "@mull/emulator/node": { "On a port": "listen ListenOptions Listening environmentLines" },
  "@mull/vcr": {
    Cassettes:
      "vcr VcrOptions Mode record RecordOptions RedactOptions play PlayOptions Wait refresh CassetteFetch LiveFetch Fetch FetchInput",
    "What is on a cassette":
      "readCassette Cassette CassetteHeader Exchange RecordedRequest RecordedResponse RecordedDelivery RecordedFailure BodyEnd " +
      "showCassette ShowOptions",
    Secrets: "scanForSecrets ScanOptions SecretFinding describeFindings secretsInEnvironment",
    Errors: "VcrError isVcrError VcrErrorCode VcrErrorFields Difference",
  },
  "@mull/vcr/vitest": { "In Vitest": "useCassette" },
  "@mull/store": {
    "A file per conversation":
      "jsonlConversation JsonlOptions JsonlConversation readJsonlConversation ConversationLog LoggedMessage LoggedTurn Damage historyOf",
    "Stores for many users":
      "memoryStore MemoryStoreOptions createMemoryData MemoryData postgresStore pgliteDriver PgliteDriverOptions pgDriver " +
      "PgDriverOptions SqlDriver Sql SqlResult SqlRow SqlValue",
    "What a store holds":
      "Store StoreOptions Conversation NewConversation ConversationChange ListConversations ListTurns MessageLink ForkConversation ImportConversation " +
      "StoredMessage Unreadable BeginTurn BegunTurn Turn TurnState TurnDraft TurnEnd Spending DailySpending Taken Reservation Reserved ReservedTurn LimitRefusal Bucket FromBucket Account Session FoundSession SealedKey StoreErrorCode",
  },
  "@mull/store/jsonl": {
    "A file per conversation":
      "jsonlConversation JsonlOptions JsonlConversation readJsonlConversation ConversationLog LoggedMessage LoggedTurn Damage historyOf",
  },
  "@mull/store/parts": {
    "Branches and lists": "branchOf Link mapInSlices createLoopShare LoopShare Times makeFolder",
    Limits: "decide",
    "Turns that run":
      "LiveTurns Signals startOfTurn TurnPlace TurnNews DraftEntry TextPiece BlockPlace CutPart",
  },
  "@mull/store/testing": {
    "Testing a store":
      "storeConformance storeCases StoreCase OpenStore startPostgres LocalPostgres freePort seededRandom Random holdConnection",
  },
  "@mull/server": {
    "The server":
      "chatServer ChatServer ChatServerParts Upstream Limits LogEntry PasswordCost StaticFile StaticFiles Peer Goodbye " +
      "listen ListenOptions Listening serve ServeOptions Serving Entrance entranceLine openingLine",
    Keys: "openServerKeys ServerKeyPlaces ServerKeys KeySource",
    Tools: "calculator searchWeb offlineSearch SearchProvider SearchHit",
  },
  "@mull/server/tools": { Tools: "calculator searchWeb offlineSearch SearchProvider SearchHit" },
  "@mull/gateway": {
    "The gateway": "createGateway Gateway GatewayOptions GatewayReceipt hashKey",
    "For a server of your own": "ClientRequest ClientHeaders ClientAnswer ClientSink",
  },
  "@mull/cli": { "The command": "run Io" },
};
