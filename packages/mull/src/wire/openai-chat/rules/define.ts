import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { Model } from "../../../types/model.ts";
import type { Finding, Rule, RuleInput } from "../../../types/rule.ts";
import { mapObjectsIn, objectsIn, viewOnce } from "../../common/rule-view.ts";

/** A violation before it becomes a finding. */
export interface Violation {
  readonly path: string;
  readonly message: string;
  /** The parameter the service names; the path unless given. */
  readonly param?: string | null;
  readonly code?: string;
  readonly status?: number;
  readonly type?: string;
}

interface RuleDraft {
  readonly id: string;
  readonly summary: string;
  readonly about?: readonly string[];
  readonly fix: string;
  readonly severity?: "warning" | "advice";
  readonly find: (input: RuleInput) => readonly Violation[];
  readonly repairSummary?: string;
  readonly repair?: (input: RuleInput) => JsonObject;
  /** Too slow to run before every request. */
  readonly isSlow?: true;
}

export function defineRule(draft: RuleDraft): Rule {
  const { id, summary, about, fix, severity = "error", find, repair, repairSummary } = draft;
  const toFinding = (violation: Violation): Finding => {
    const {
      path,
      message,
      param = path,
      code,
      status = 400,
      type = "invalid_request_error",
    } = violation;
    const answer = {
      status,
      type,
      message,
      ...(code !== undefined && { code }),
      ...(param !== null && { param }),
    };
    return { rule: id, severity, path, message, fix, ...(severity === "error" && { answer }) };
  };
  return {
    id,
    wire: "openai-chat",
    severity,
    summary,
    ...(about !== undefined && { about }),
    check: (input) => find(input).map(toFinding),
    ...(repairSummary !== undefined && { repairSummary }),
    ...(repair !== undefined && { repair }),
    ...(draft.isSlow !== true && { preflight: true }),
  };
}

const none: readonly JsonObject[] = [];
export const objectsOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? objectsIn(value) : none;

export const messagesOf: (input: RuleInput) => readonly JsonObject[] = viewOnce((body) =>
  objectsOf(body["messages"]),
);

export const callsOf = (message: JsonObject): readonly JsonObject[] =>
  objectsOf(message["tool_calls"]);

export const toolsOf = ({ body }: { readonly body: JsonObject }): readonly JsonObject[] =>
  objectsOf(body["tools"]);

/** Maps every message; `undefined` drops one. */
export const mapMessages = (
  { body }: RuleInput,
  change: (message: JsonObject, index: number) => JsonObject | readonly JsonObject[] | undefined,
): JsonObject => ({ ...body, messages: mapObjectsIn(body["messages"], change) });

export const without = (object: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

const openaiProviders: ReadonlySet<string> = new Set(["openai", "openai-chat", "azure"]);

export const isOpenai = ({ provider }: Model): boolean => openaiProviders.has(provider);
export const isOpenaiReasoner = (model: Model): boolean =>
  isOpenai(model) && model.thinking.kind === "effort";

/** `'a', 'b', and 'c'`, as the service lists values. */
export function listValues(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  if (quoted.length < 2) return quoted.join("");
  const last = quoted.pop();
  return `${quoted.join(", ")}${quoted.length > 1 ? "," : ""} and ${last}`;
}

export const kindOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
};

/** A value as the service writes it in a message. */
export const show = (value: JsonValue | undefined): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "null");

export const isSomething = (value: unknown): boolean => value !== null && value !== undefined;

/** Whether a request has thinking on. Some servers think unless told not to. */
export function isThinking({ body, model }: RuleInput): boolean {
  const { thinking, enable_thinking, reasoning_effort } = body;
  const type = isJsonObject(thinking) ? thinking["type"] : undefined;
  if (model.thinking.kind === "none") return false;
  if (type === "disabled" || enable_thinking === false || reasoning_effort === "none") return false;
  const isAsked = [type, enable_thinking, reasoning_effort].some(isSomething);
  return isAsked || (model.defaultThinking !== "off" && model.defaultThinking !== "none");
}
