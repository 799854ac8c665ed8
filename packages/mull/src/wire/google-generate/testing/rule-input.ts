import type { JsonObject } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";

export const hello: JsonObject = { role: "user", parts: [{ text: "Hi" }] };
export const sig: JsonObject = { thoughtSignature: "c2ln" };
export const call = (fields: JsonObject = sig, more: JsonObject = {}): JsonObject => ({
  role: "model",
  parts: [{ functionCall: { name: "f", args: {}, ...more }, ...fields }],
});
export const result = (more: JsonObject = {}): JsonObject => ({
  role: "user",
  parts: [{ functionResponse: { name: "f", response: {}, ...more } }],
});
export const says: JsonObject = { role: "model", parts: [{ text: "a" }] };
export const declares = (...functionDeclarations: readonly JsonObject[]): JsonObject => ({
  tools: [{ functionDeclarations }],
});
export const thinks = (thinkingConfig: JsonObject): JsonObject => ({
  generationConfig: { thinkingConfig },
});
export const vertex: string = "/v1/projects/p/locations/l/publishers/google/models/";

export interface Case {
  readonly rule: string;
  readonly model?: string;
  readonly body: JsonObject;
  readonly path: string;
  readonly message: string;
  readonly parent?: string;
  readonly input?: Partial<RuleInput>;
}

export const invalidSeal: Partial<RuleInput> = { verifySeal: () => "invalid" };
