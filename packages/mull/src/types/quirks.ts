/** How a vendor differs from the plain wire. Every field that is absent means the plain wire's behaviour. */
export interface Quirks {
  /** Role of the system prompt on openai-chat. */
  readonly systemRole?: "developer" | "system";
  /** Name of the output cap on openai-chat. */
  readonly capField?: "max_completion_tokens" | "max_tokens";
  /** How the dial is spelled on openai-chat. */
  readonly knob?:
    | "reasoning_effort"
    | "reasoning-object"
    | "thinking-type"
    | "thinking-type+effort"
    | "enable_thinking"
    | "chat_template_kwargs"
    | "prompt_mode"
    | "none";
  /** Word that switches thinking on: `enabled` (default), `adaptive`; an effort word for `reasoning_effort`. */
  readonly knobOn?: string;
  /** Further fields of the knob's object while thinking is on, e.g. `clear_thinking`. */
  readonly knobFields?: Readonly<Record<string, unknown>>;
  /** Key inside `chat_template_kwargs`; `enable_thinking` by default. */
  readonly templateKey?: string;
  /** Field of a token budget; absent: the server takes none (`reasoning-object` has its own). */
  readonly budgetField?: string;
  /** Body fields that show or hide thinking, sent to thinking models only. */
  readonly shownBody?: Readonly<Record<string, unknown>>;
  readonly hiddenBody?: Readonly<Record<string, unknown>>;
  /** Fields that carry thinking in answers, first non-empty wins; and the one to echo under. */
  readonly thinkingFields?: readonly string[];
  /** Split inline tags such as `<think>` out of the text. */
  readonly thinkTags?: readonly (readonly [open: string, close: string])[];
  /** The opening tag may be missing because the template pre-fills it. */
  readonly impliedOpenTag?: boolean;
  readonly omitStore?: boolean;
  readonly omitStrict?: boolean;
  readonly omitStreamUsage?: boolean;
  /** Thinking tokens are counted outside `completion_tokens`. */
  readonly thinkingOutsideOutput?: boolean;
  /** Longest tool-call id, and its alphabet, that the server takes. */
  readonly callId?: { readonly maxLength: number; readonly pattern: string };
  /** Signatures are not checked by this endpoint. */
  readonly unsignedThinking?: boolean;
  /** Anthropic API version header. */
  readonly anthropicVersion?: string;
  /** Gemini on Vertex: no call ids, stricter fields. */
  readonly vertex?: boolean;
  /** openai-chat: the server takes `top_k`. */
  readonly topK?: boolean;
  /** openai-chat: no `prompt_cache_key`. */
  readonly omitCacheKey?: boolean;
  /** openai-chat: schemas are not taken, only the wish for JSON. */
  readonly jsonObjectOnly?: boolean;
  /** openai-chat: tool results may hold images, and files may be given by URL. */
  readonly toolImages?: boolean;
  readonly fileUrls?: boolean;
  /** Extra body fields this vendor always wants. */
  readonly body?: Readonly<Record<string, unknown>>;
}
