import type { JsonObject } from "../../../types/json.ts";
import type { Model } from "../../../types/model.ts";
import type { Finding, RuleInput, SealVerdict } from "../../../types/rule.ts";
import { makeOpenaiResponsesRules } from "../rules/index.ts";
import { gpt6 } from "./requests.ts";

const rules = makeOpenaiResponsesRules();

export const inputOf = (
  body: JsonObject,
  model: Model = gpt6,
  verdict?: SealVerdict,
): RuleInput => ({
  wire: "openai-responses",
  model,
  path: "/responses",
  headers: {},
  body: { model: model.id, input: "Hi", ...body },
  ...(verdict !== undefined && { verifySeal: () => verdict }),
});
export const check = (input: RuleInput): readonly Finding[] =>
  rules.flatMap((rule) => rule.check(input));

/** Repairs with every rule that found something, in order. */
export const repair = (input: RuleInput): RuleInput =>
  rules.reduce((now, rule) => ({ ...now, body: rule.repair?.(now) ?? now.body }), input);

export const items = (...input: readonly JsonObject[]): JsonObject => ({ input });
export const user: JsonObject = { role: "user", content: "Hi" };
export const answer: JsonObject = { type: "message", role: "assistant", id: "msg_1", content: [] };
export const thought: JsonObject = {
  type: "reasoning",
  id: "rs_1",
  summary: [],
  encrypted_content: "gAAA",
};
export const call: JsonObject = {
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "f",
  arguments: "{}",
};
export const output: JsonObject = { type: "function_call_output", call_id: "call_1", output: "1" };

export interface Case {
  readonly rule: string;
  readonly body: JsonObject;
  readonly model?: string;
  readonly path: string;
  readonly message: string;
  readonly code?: string;
  readonly status?: number;
  readonly severity?: "warning";
  readonly verdict?: SealVerdict;
  /** Only the user can repair it. */
  readonly stays?: true;
}

/** What is known of a case after its rule has looked at it and everything was repaired. */
interface Judgement {
  readonly severity: Finding["severity"] | undefined;
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly code: string | undefined;
  /** As much of the message as the case spells out. */
  readonly message: string | undefined;
  readonly stays: boolean;
  readonly isUntouched: boolean;
}

/** How the rules judge a case; `modelOf` looks its model up. */
export function judge(each: Case, modelOf: (id: string) => Model): Judgement {
  const { body, model = "gpt-6-sol", verdict, rule, path, message } = each;
  const input = inputOf(body, modelOf(model), verdict);
  const before = JSON.stringify(input.body);
  const finding = check(input).find((found) => found.rule === rule && found.path === path);
  const left = check(repair(input)).map((found) => found.rule);
  return {
    severity: finding?.severity,
    status: finding?.answer?.status,
    type: finding?.answer?.type,
    code: finding?.answer?.code ?? undefined,
    message: finding?.message.slice(0, message.length),
    stays: left.includes(rule),
    isUntouched: JSON.stringify(input.body) === before,
  };
}

/** How they ought to. */
export const wanted = ({ severity, status = 400, code, message, stays }: Case): Judgement => ({
  severity: severity ?? "error",
  // A warning is no refusal: it has no answer.
  status: severity === undefined ? status : undefined,
  type: severity === undefined ? "invalid_request_error" : undefined,
  code: severity === undefined ? code : undefined,
  message,
  stays: stays === true,
  isUntouched: true,
});

export const long: string = "c".repeat(70);
