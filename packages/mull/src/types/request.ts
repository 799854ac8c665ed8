import type { JsonObject } from "./json.ts";
import type { Level } from "./level.ts";
import type { Message, TextPart } from "./message.ts";
import type { Effort } from "./model.ts";
import type { ShowThinking, ThinkingSetting } from "./plan.ts";
import type { StandardSchema } from "./standard-schema.ts";
import type { AnyTool, ToolChoice } from "./tool.ts";

/** Sampling settings: temperature, top-p, top-k and stop sequences. */
export interface Sampling {
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
}

/** A request for JSON output that fits a JSON Schema. */
export interface OutputFormat {
  readonly name?: string | undefined;
  readonly schema: JsonObject;
}

/**
 * A request for an object that fits a JSON Schema, or a zod, valibot or arktype schema. The answer is
 * checked; one that does not fit is sent back with what is wrong.
 */
export interface OutputWish<T = unknown> {
  readonly name?: string | undefined;
  readonly schema: JsonObject | StandardSchema<T>;
  /** JSON Schema to show the model when `schema` is a Standard Schema that cannot give one. */
  readonly jsonSchema?: JsonObject | undefined;
  /** How often the model is asked again; default 2. */
  readonly retries?: number | undefined;
  /** `false`: the answer is not checked, for programs that check it themselves. */
  readonly check?: boolean | undefined;
}

/** Hints for prompt caching. Wires without caching ignore them. */
export interface CacheHints {
  /** OpenAI's `prompt_cache_key`. */
  readonly key?: string | undefined;
  /**
   * Put Anthropic breakpoints after tools and system, and after the last message. What they write is
   * kept for five minutes, or for an hour with `"1h"`, which costs more to write.
   */
  readonly breakpoints?: boolean | "1h" | undefined;
  /**
   * Have Anthropic or OpenAI (from GPT-5.6 on) say why less of the prompt was read from the cache than they
   * kept of an earlier answer. It is named by its `id`; in an agent `true` stands for the last one.
   */
  readonly diagnose?: boolean | string | undefined;
}

/** A request to a model: messages, tools, level and output settings. */
export interface ChatRequest<T = unknown> extends Sampling {
  readonly system?: string | undefined;
  readonly messages: readonly Message[];
  readonly tools?: readonly AnyTool[] | undefined;
  readonly toolChoice?: ToolChoice | undefined;
  /** `false`: at most one call in an answer, if the service can be told so. */
  readonly parallelToolCalls?: boolean | undefined;
  readonly level?: Level | undefined;
  /**
   * An explicit thinking budget instead of the level's. Thinking counts toward the output limit,
   * is billed as output, and is billed again as input when it is replayed.
   */
  readonly thinkingBudget?: number | undefined;
  /** Show thinking (default) or not; OpenAI's summary styles are passed on. `brief` is `concise`. */
  readonly showThinking?: boolean | "auto" | "concise" | "detailed" | "brief" | undefined;
  /** Tokens for the answer. Thinking comes on top of it. */
  readonly maxOutputTokens?: number | undefined;
  readonly output?: OutputWish<T> | undefined;
  readonly cache?: CacheHints | undefined;
  /**
   * At how many input tokens the service itself is to shorten the conversation: Claude from 4.6 on (50,000
   * or more) and OpenAI's Responses (1,000 or more). Refused for all others. Its summary stays in the history.
   */
  readonly serviceCompactsAt?: number | undefined;
  readonly userId?: string | undefined;
  /** Merged into the request body last, for fields that mull does not model. */
  readonly extra?: JsonObject | undefined;
}

/** A request with everything decided: what a wire encodes, and what a mirror reads back. */
export interface WireRequest extends Sampling {
  readonly model: string;
  readonly system?: string | readonly TextPart[];
  readonly messages: readonly Message[];
  readonly tools?: readonly AnyTool[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly thinking: ThinkingSetting;
  /** The effort of the next answer, if a message inside the conversation changes the one above. */
  readonly effortInForce?: Effort;
  readonly show: ShowThinking;
  /** The wire's own cap, thinking included. */
  readonly maxOutputTokens?: number;
  readonly output?: OutputFormat;
  readonly cache?: CacheHints;
  readonly serviceCompactsAt?: number;
  readonly userId?: string;
  readonly stream: boolean;
  readonly extra?: JsonObject;
}
