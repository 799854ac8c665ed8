import type { JsonObject } from "../../types/json.ts";

/** A refusal in the service's words, the body it answers, and the body that is sent instead. */
export interface HealCase {
  readonly rule: string;
  readonly model: string;
  readonly says: string;
  readonly body: JsonObject;
  readonly becomes: JsonObject;
}
