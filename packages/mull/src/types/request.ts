import type { JsonObject } from "./json.ts";
import type { Level } from "./level.ts";
import type { Message, TextPart } from "./message.ts";
import type { Effort } from "./model.ts";
import type { ShowThinking, ThinkingSetting } from "./plan.ts";
import type { StandardSchema } from "./standard-schema.ts";
import type { AnyTool, ToolChoice } from "./tool.ts";

export interface Sampling {
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
}

/** Ask for JSON that fits a schema. */
export interface OutputFormat {
  readonly name?: string | undefined;
  readonly schema: JsonObject;
}

/** The same, with a schema of zod, valibot or arktype too. What comes is not checked against it. */
export interface OutputWish {
  readonly name?: string | undefined;
  readonly schema: JsonObject | StandardSchema;
}

/** Prompt-cache hints. Ignored where a wire has none. */
export interface CacheHints {
  /** OpenAI's `prompt_cache_key`. */
  readonly key?: string | undefined;
  /** Put Anthropic breakpoints after tools and system, and after the last message. */
  readonly breakpoints?: boolean | undefined;
}

/** What a program asks of a model. */
export interface ChatRequest extends Sampling {
  readonly system?: string | undefined;
  readonly messages: readonly Message[];
  readonly tools?: readonly AnyTool[] | undefined;
  readonly toolChoice?: ToolChoice | undefined;
  readonly level?: Level | undefined;
  /**
   * An explicit thinking budget instead of the level's. Thinking counts toward the output limit,
   * is billed as output, and is billed again as input when it is replayed.
   */
  readonly thinkingBudget?: number | undefined;
  /** Show thinking (default) or not; OpenAI's summary styles are passed on. `brief` is `concise`. */
  readonly showThinking?: boolean | "auto" | "concise" | "detailed" | "brief" | undefined;
  /** Room of the answer. Thinking is added on top, never taken out of it. */
  readonly maxOutputTokens?: number | undefined;
  readonly output?: OutputWish | undefined;
  readonly cache?: CacheHints | undefined;
  readonly userId?: string | undefined;
  /** Merged into the wire body last: the way out for what mull does not model. */
  readonly extra?: JsonObject | undefined;
}

/** A request with everything decided: what a wire encodes, and what it reads back out of a body. */
export interface WireRequest extends Sampling {
  readonly model: string;
  readonly system?: string | readonly TextPart[];
  readonly messages: readonly Message[];
  readonly tools?: readonly AnyTool[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly thinking: ThinkingSetting;
  /** The effort of the next answer, where a message inside the conversation changes the one above. */
  readonly effortInForce?: Effort;
  readonly show: ShowThinking;
  /** The wire's own cap, thinking included. */
  readonly maxOutputTokens?: number;
  readonly output?: OutputFormat;
  readonly cache?: CacheHints;
  readonly userId?: string;
  readonly stream: boolean;
  /** Have the service drop seals whose prefix has changed instead of refusing the request. */
  readonly dropUnboundSeals?: boolean;
  readonly extra?: JsonObject;
}
