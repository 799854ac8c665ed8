import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { Model } from "../../../types/model.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { asList, asObjects } from "../../common/json-reading.ts";
import { mapObjectsIn, viewOnce, type RuleDraft } from "../../common/rules/define-rule.ts";

const ofOpenai = ({ model }: RuleInput): boolean => isOpenai(model);

/** What only OpenAI's own service insists on. */
export const openais = (draft: RuleDraft): RuleDraft => ({ when: ofOpenai, ...draft });

export const messagesOf: (input: RuleInput) => readonly JsonObject[] = viewOnce((body) =>
  asObjects(body["messages"]),
);

/** The parts of all messages that have a list of them. */
export const partsOf = (
  input: RuleInput,
): readonly { readonly part: JsonObject; readonly path: string }[] =>
  messagesOf(input).flatMap(({ content }, index) =>
    asList(content).flatMap((part, at) =>
      isJsonObject(part) ? { part, path: `messages[${index}].content[${at}]` } : [],
    ),
  );

export const callsOf = (message: JsonObject): readonly JsonObject[] =>
  asObjects(message["tool_calls"]);

export const toolsOf = ({ body }: { readonly body: JsonObject }): readonly JsonObject[] =>
  asObjects(body["tools"]);

/** The body with every message mapped; `undefined` leaves one out. */
export const mapMessages = (
  { body }: RuleInput,
  change: (message: JsonObject, index: number) => JsonObject | readonly JsonObject[] | undefined,
): JsonObject => ({ ...body, messages: mapObjectsIn(body["messages"], change) });

const openaiProviders: ReadonlySet<string> = new Set(["openai", "openai-chat", "azure"]);

export const isOpenai = ({ provider }: Model): boolean => openaiProviders.has(provider);
export const isOpenaiReasoner = (model: Model): boolean =>
  isOpenai(model) && model.thinking.kind === "effort";

/** Servers of this wire that think unless they are told not to. */
export function isThinking({ body, model }: RuleInput): boolean {
  const { thinking, enable_thinking, reasoning_effort } = body;
  const type = isJsonObject(thinking) ? thinking["type"] : undefined;
  if (model.thinking.kind === "none") return false;
  if (type === "disabled" || enable_thinking === false || reasoning_effort === "none") return false;
  const isAsked = [type, enable_thinking, reasoning_effort].some((value) => value != null);
  return isAsked || (model.defaultThinking !== "off" && model.defaultThinking !== "none");
}
