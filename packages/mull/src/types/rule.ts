import type { JsonObject } from "./json.ts";
import type { WireId } from "./message.ts";
import type { Model } from "./model.ts";
import type { ServeError } from "./wire.ts";

/** Whether a seal in a request body is genuine. Only the service that made it can tell. */
export type SealVerdict = "ok" | "invalid" | "foreign-prefix" | "unknown";

/** A request as a rule sees it: the wire's own JSON. Header names are lower case. */
export interface RuleInput {
  readonly wire: WireId;
  readonly model: Model;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  /** Present in the emulator, absent in lint. `at` is a JSON path into the body. */
  readonly verifySeal?: (seal: string, at: string, kind: string) => SealVerdict;
}

/**
 * How serious a finding is. `error`: the service refuses it. `warning`: it may, or does something
 * else. `advice`: it accepts it, but it is probably not wanted.
 */
export type Severity = "error" | "warning" | "advice";

/** Something a service would refuse in a request, and where it is. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  /** In the service's own notation, e.g. `messages.1.content.0`, `input[3].id`, `contents[2].parts[0]`. */
  readonly path: string;
  /** The text the service would answer with; for warnings, what may go wrong. */
  readonly message: string;
  /** What would repair it, in words. */
  readonly fix?: string;
  /** The answer the service would give. */
  readonly answer?: ServeError;
}

/** One thing a service insists on: what finds it, what repairs it, and what the service says. */
export interface Rule {
  /** `<vendor or wire>/<what>`, e.g. `anthropic/leading-thinking`. Stable. */
  readonly id: string;
  readonly wire: WireId;
  readonly severity: Severity;
  /** One sentence: what the service insists on, and on which models. */
  readonly summary: string;
  /** One imperative sentence: what to do, and what the repair does. Absent: only the user can. */
  readonly repairSummary?: string;
  /** Finds nothing if only the service can know: what an account may do, what its store holds. */
  readonly check: (input: RuleInput) => readonly Finding[];
  /**
   * Returns a body without the findings of this rule, or the body given when it cannot help. Never
   * mutates. `refused` is the service's refusal: it knows better than `check`.
   */
  readonly repair?: (input: RuleInput, refused?: RegExpExecArray) => JsonObject;
  /** Matches the service's refusal. A repair may read allowed values from the match. */
  readonly refusal?: RegExp;
  /** The service refused seals of the history, so they are not sent again. */
  readonly refusesSeals?: true;
  /** Cheap enough to run before every request. */
  readonly preflight?: true;
}
