import type { Cost, Usage } from "./usage.ts";
import type { JsonObject } from "./json.ts";
import type { Level } from "./level.ts";
import type { Effort, GoogleLevel, LevelValue, OffForm } from "./model.ts";
import type { WireId } from "./message.ts";

/** The thinking setting of a request, independent of the wire. */
export type ThinkingSetting =
  | { readonly type: "default" }
  | { readonly type: "off"; readonly form: OffForm; readonly effort?: Effort }
  | { readonly type: "budget"; readonly tokens: number; readonly effort?: Effort }
  | { readonly type: "effort"; readonly effort: Effort }
  | { readonly type: "level"; readonly level: GoogleLevel }
  | { readonly type: "on" };

/** Whether thinking is asked to be shown, and in what form if a service has several. */
export type ShowThinking = false | "auto" | "concise" | "detailed";

/** Something about a request that the user should know. Codes are stable; texts may change. */
export interface Note {
  readonly code: string;
  readonly severity: "info" | "warning";
  readonly message: string;
}

export const info = (code: string, message: string): Note => ({ code, severity: "info", message });
export const warning = (code: string, message: string): Note => ({
  code,
  severity: "warning",
  message,
});

/** The plan for thinking in one request, as `planThinking` makes it. */
export interface ThinkingPlan {
  readonly model: string;
  readonly provider: string;
  readonly wire: WireId;
  readonly asked: Level;
  readonly askedBudget?: number;
  /** What the level means on this model. */
  readonly mapped: LevelValue;
  /** The dial position of what is sent. */
  readonly applied: Level;
  readonly setting: ThinkingSetting;
  readonly show: ShowThinking;
  /** What people will see of the thinking, and why it is not more. */
  readonly visible: "full" | "summary" | "nothing";
  readonly visibleReason?: string;
  /** The output cap to send. Where absent, the service's own cap applies. */
  readonly maxOutputTokens?: number;
  /** Tokens kept for the answer, and for thinking if it is known. */
  readonly answerRoom?: number;
  readonly thinkingRoom?: number;
  readonly notes: readonly Note[];
}

/** A change made to the messages for one request. The history itself stays as it is. */
export interface HistoryChange {
  readonly code: string;
  /** Index of the message in the history given, and of the part in it. */
  readonly message: number;
  readonly part?: number;
  readonly detail: string;
}

/** A repair made to a request before it was sent. */
export interface Repair {
  readonly rule: string;
  /** The service's text that made it necessary; absent when the preflight repaired it. */
  readonly error?: string;
  readonly detail: string;
  /** The service refused seals of the history; they are not sent again. */
  readonly sealsRefused?: true;
}

/** One attempt to send a request. */
export interface Attempt {
  readonly status?: number;
  readonly error?: string;
  readonly waitedMs?: number;
}

/** What the service reports about a request, e.g. thinking it left out or a cache it missed. */
export interface ServiceReport {
  /** The service's own word, e.g. `thinking_dropped`; `cache_miss` for every missed cache. */
  readonly type: string;
  /** Why, in the service's own word, e.g. `prefix_binding_mismatch`. */
  readonly reason?: string;
  /** Where in the request, e.g. `messages.1.content.0`. */
  readonly path?: string;
  /** Input tokens that the cache would have held. */
  readonly tokens?: number;
  /** The service's own object. */
  readonly raw: JsonObject;
}

/** Why the next model was asked. */
export type FallbackReason = "outage" | "rate-limit" | "quota" | "refusal";

/** A model that was asked and did not answer, so that another one was asked. */
export interface FailedModel {
  readonly provider: string;
  readonly model: string;
  readonly reason: FallbackReason;
  /** What happened: the error's text, or the service's word for its refusal. */
  readonly error: string;
}

/**
 * Why less of a prompt was read from the cache than could have been. Ours: `model`, `level`, `system`,
 * `tools` or an earlier message (`history`) changed, or the last request is `too-old`. Where everything
 * was the same, the service's own word, or `unexplained`.
 */
export interface CacheMiss {
  readonly by: "request" | "service";
  readonly reason: string;
  /** The service's own word, if we have a reason too, e.g. `tools_changed`. */
  readonly said?: string;
}

/** How much of the prompt was expected from the service's cache, and how much was read. */
export interface CacheReport {
  /** Tokens of the last request, which this one begins with. */
  readonly possible: number;
  /** Tokens that were expected to be read. */
  readonly predicted: number;
  readonly read: number;
  readonly miss?: CacheMiss;
}

/** What was asked for, applied, sent, shown, withheld and repaired in one request, and why. */
export interface Receipt {
  readonly plan: ThinkingPlan;
  /**
   * The fields of the body that concern thinking and the cap, as sent. A change of effort inside the
   * conversation stands in the place of what it replaces at the top.
   */
  readonly sent: JsonObject;
  readonly echo?: JsonObject;
  readonly servedModel?: string;
  readonly requestId?: string;
  readonly withheld: readonly HistoryChange[];
  readonly changes: readonly HistoryChange[];
  readonly repairs: readonly Repair[];
  readonly attempts: readonly Attempt[];
  readonly notes: readonly Note[];
  /** Who was asked before, in order, and did not answer. `plan` names who did. */
  readonly insteadOf?: readonly FailedModel[];
  /** In agents, if the service caches prompts and there was a request before this one. */
  readonly cache?: CacheReport;
  /** What the service says it changed or missed; the notes say it in words. */
  readonly reported?: readonly ServiceReport[];
  /** Tokens used; absent until the service begins to answer. */
  readonly usage?: Omit<Usage, "raw">;
  /** Cost by the model's prices; absent if they are unknown. */
  readonly cost?: Cost;
  /** The answer was stopped, broke off or is still arriving: usage and cost are lower bounds. */
  readonly unfinished?: true;
  /** Answered by the emulator. */
  readonly simulated?: true;
}
