import type { WireId } from "./message.ts";
import type { Level } from "./level.ts";
import type { Quirks } from "./quirks.ts";

export const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
/** A thinking effort as services spell it. */
export type Effort = (typeof efforts)[number];
export const isEffort = (value: unknown): value is Effort =>
  (efforts as readonly unknown[]).includes(value);

export const googleLevels = ["MINIMAL", "LOW", "MEDIUM", "HIGH"] as const;
/** A thinking level as Google spells it. */
export type GoogleLevel = (typeof googleLevels)[number];

/**
 * How thinking is turned off. `omit`: leave the field out. `disabled`, `between_tools`: Anthropic's
 * forms. `effort-none`, `budget-zero`: the word or number. `switch`: the vendor's own off switch on
 * openai-chat. `never`: it cannot be off, the smallest step is sent instead.
 */
export type OffForm =
  | "omit"
  | "disabled"
  | "between_tools"
  | "effort-none"
  | "budget-zero"
  | "switch"
  | "never";

/** What a level means on a model, before limits are applied. */
export type LevelValue =
  | { readonly kind: "none" }
  | { readonly kind: "budget"; readonly tokens: number }
  | { readonly kind: "effort"; readonly effort: Effort }
  | { readonly kind: "level"; readonly level: GoogleLevel }
  | { readonly kind: "switch"; readonly on: boolean };

/** How a model's thinking is controlled: not at all, by a token budget, an effort or a level. */
export type ThinkingTraits =
  | { readonly kind: "none" }
  | {
      readonly kind: "budget";
      readonly min: number;
      readonly max: number;
      readonly off: OffForm;
      /** The least the service accepts when on, if it differs from `min` (2.5-flash: 0 is off). */
      readonly leastOn?: number;
      /** Effort words accepted together with the budget (Opus 4.5). */
      readonly efforts?: readonly Effort[];
    }
  | {
      readonly kind: "effort";
      readonly efforts: readonly Effort[];
      readonly off: OffForm;
      /** Efforts above this are refused while thinking is off (Opus 5, Haiku 5.5, Sonnet 5.5). */
      readonly maxEffortWhenOff?: Effort;
      /** Budgets accepted too (Claude 4.6, Mythos Preview). */
      readonly budget?: { readonly min: number; readonly max: number };
    }
  | { readonly kind: "level"; readonly levels: readonly GoogleLevel[]; readonly off: OffForm }
  | {
      readonly kind: "switch";
      readonly off: OffForm;
      /** Budgets accepted too (Qwen, vLLM, llama.cpp). */
      readonly budget?: { readonly min: number; readonly max: number };
    };

/**
 * Sampling parameters a model takes. `free`. `limited`: Claude up to 4.6, restricted while thinking.
 * `fixed`: Claude 4.7 and later, refused. `only-off`: OpenAI 5.1 and later, only at effort none.
 * `never`: refused always. `ignored`: accepted without effect.
 */
export type SamplingLimit = "free" | "limited" | "fixed" | "only-off" | "never" | "ignored";

/**
 * Forced tool choice: `free`. `not-with-budget`: not together with Claude's manual thinking.
 * `not-thinking`: not while it thinks at all. `not-named`: while it thinks it can be made to call,
 * but not which tool. `auto-only`.
 */
type ToolChoiceLimit = "free" | "not-with-budget" | "not-thinking" | "not-named" | "auto-only";

/**
 * What happens to thinking of earlier turns when it is sent back. `sealed`: sealed parts go back.
 * For servers with plain reasoning text: `required` on every assistant message, `tool-calls` on
 * those with calls, `loop` only inside the running tool loop, `optional`, `forbidden`.
 */
export type ReplayPolicy = "sealed" | "required" | "tool-calls" | "loop" | "optional" | "forbidden";

/** Which seals a model reads, and how far its own travel. */
export interface SealRights {
  /** Ids or id prefixes (ending in `*`) of other models of the vendor whose seals it reads. */
  readonly reads: readonly string[];
  /** Its own seals are bound to system, tools and earlier messages: for every account, or for newer ones. */
  readonly prefixBound?: "always" | "newer-accounts";
  /** Its own seals open only in the account that made them. */
  readonly accountBound?: true;
  /** Its own seals open only at the endpoint that made them. */
  readonly endpointBound?: true;
}

/** Prices in US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** Prices of requests whose whole input is above `threshold` tokens. */
  readonly long?: {
    readonly threshold: number;
    readonly input: number;
    readonly output: number;
    readonly cacheRead?: number;
  };
}

type ModelStatus =
  | "current"
  | "preview"
  | "gated"
  | "deprecated"
  | "retired"
  | "never-served"
  | "rerouted";

/** A model as data: its limits, prices, thinking and the fields it accepts. */
export interface Model {
  readonly id: string;
  /** Provider id that serves it by default. */
  readonly provider: string;
  readonly wire: WireId;
  readonly thinking: ThinkingTraits;
  /** Levels whose value is not the nearest-lower rule's. */
  readonly map?: Readonly<Partial<Record<Level, LevelValue>>>;
  /** What happens when nothing about thinking is sent: the effort, level, `on`, `off`, `dynamic`. */
  readonly defaultThinking?: string;
  /** What the service shows of thinking when asked to. */
  readonly shows: "full" | "summary" | "nothing";
  readonly outputCap?: number;
  readonly window?: number;
  readonly price?: Price;
  readonly sampling: SamplingLimit;
  readonly toolChoice: ToolChoiceLimit;
  readonly replay: ReplayPolicy;
  readonly seals?: SealRights;
  /** Effort can be changed inside the conversation without losing the prompt cache. */
  readonly effortUpdates?: boolean;
  /** The service says why a prompt was not read from its cache, if it is asked (`cache.diagnose`). */
  readonly cacheDiagnosis?: boolean;
  /** The service shortens conversations of this model itself, if it is asked (`serviceCompactsAt`). */
  readonly serviceCompacts?: boolean;
  readonly files?: { readonly images: boolean; readonly pdf: boolean };
  /** System messages are taken in the middle of the conversation. Default: on OpenAI's wires. */
  readonly systemMessages?: boolean;
  /** A conversation may not end with the model's own turn. */
  readonly noPrefill?: boolean;
  readonly generation?: string;
  readonly status: ModelStatus;
  readonly endOfLife?: string;
  readonly successor?: string;
  /** How this model differs from its provider's other models; wins over the provider's quirks. */
  readonly quirks?: Quirks;
  /** Id of the catalogue's row, if `id` is a dated, suffixed or prefixed form of it. */
  readonly row?: string;
  /** Not in the catalogue: rules of its family are assumed. */
  readonly assumed?: true;
  readonly note?: string;
}
