import { invalidArgument, type MullError } from "../types/error.ts";
import type { JsonObject } from "../types/json.ts";
import { wireIds, type WireId } from "../types/message.ts";
import type { Model } from "../types/model.ts";
import type { Repair } from "../types/plan.ts";
import { requireObject } from "../types/require.ts";
import { anthropicRemedies } from "./anthropic.ts";
import { googleRemedies } from "./google.ts";
import { openaiChatRemedies, openaiResponsesRemedies } from "./openai.ts";

/** A refusal that can be repaired: the service's words, and the change to the body. */
export interface Remedy {
  /** The rule that explains it, or a name of its own where no rule can foresee the refusal. */
  readonly rule: string;
  readonly text: RegExp;
  /** What was changed, for the receipt. */
  readonly detail: string;
  /** The seals of the history are what was refused. */
  readonly refusesSeals?: true;
  /** Returns the body given when it cannot help. */
  readonly mend: (body: JsonObject, match: RegExpExecArray, model: Model) => JsonObject;
}

/** A request that a service refused, and its error. */
export interface Refused {
  readonly wire: WireId;
  readonly model: Model;
  readonly body: JsonObject;
  readonly error: MullError;
}

/** A repaired body and the repair that was made. */
export interface Healed {
  readonly body: JsonObject;
  readonly repair: Repair;
}

const remedies: Readonly<Record<WireId, readonly Remedy[]>> = {
  "anthropic-messages": anthropicRemedies,
  "openai-responses": openaiResponsesRemedies,
  "openai-chat": openaiChatRemedies,
  "google-generate": googleRemedies,
};

/**
 * Repairs a refused request where the service's words are known. Callers send the result once and
 * accept a second refusal.
 */
export function heal(refused: Refused): Healed | undefined {
  requireObject("refused", refused, "an object with wire, model, body and error");
  const { wire, model, body, error } = refused;
  if (!wireIds.includes(wire)) throw invalidArgument("wire", wire, wireIds);
  requireObject("model", model, "what findModel returns");
  requireObject("body", body, "a JSON object");
  requireObject("error", error, "the MullError of the refusal");
  if (error.category !== "invalid_argument" && error.category !== "not_found") return undefined;
  for (const remedy of remedies[wire]) {
    const match = remedy.text.exec(error.message);
    if (match === null) continue;
    const mended = remedy.mend(body, match, model);
    if (mended === body) continue;
    return {
      body: mended,
      repair: {
        rule: remedy.rule,
        error: error.message,
        detail: remedy.detail,
        ...(remedy.refusesSeals && { sealsRefused: true }),
      },
    };
  }
  return undefined;
}
