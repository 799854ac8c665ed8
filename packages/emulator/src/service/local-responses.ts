import type { JsonObject } from "mull";

import { isLocalServer } from "./host.ts";
import {
  invalidRequest,
  textIn,
  type ServiceExchange,
  type FittedPart,
  type Refusal,
} from "./service.ts";

/** What a server that stores nothing does with `previous_response_id`. */
type Stateless = (body: JsonObject, previous: string) => JsonObject | Refusal;

const withoutPrevious: Stateless = (body) => {
  const { previous_response_id: _, ...rest } = body;
  return rest;
};

const rule = "openai/previous-response";

/** SGLang and LM Studio store responses; vLLM only when started so. */
const stateless: ReadonlyMap<string, Stateless> = new Map<string, Stateless>([
  ["ollama", withoutPrevious],
  ["llamacpp", () => invalidRequest(rule, "llama.cpp does not support 'previous_response_id'.")],
  [
    "vllm",
    (_, previous) =>
      invalidRequest(rule, `Response with id '${previous}' not found.`, { status: 404 }),
  ],
]);

export const isLocal = ({ model }: Pick<ServiceExchange, "model">): boolean =>
  isLocalServer(model.provider);

export const storesResponses = ({
  model,
  body,
}: Pick<ServiceExchange, "model" | "body">): boolean =>
  body["store"] !== false && !stateless.has(model.provider);

/** The body as a server without a store reads it; `undefined` if there is one. */
export const recallNothing = ({
  model,
  body,
}: ServiceExchange): JsonObject | Refusal | undefined => {
  const forget = stateless.get(model.provider);
  if (forget === undefined) return undefined;
  const previous = textIn(body["previous_response_id"]);
  return previous === "" ? body : forget(body, previous);
};

/** Local servers encrypt no thoughts: Ollama writes the text as the summary, and again as the seal. */
export const openThought = (
  part: FittedPart,
  { model }: ServiceExchange,
): { readonly visibility: "full" | "summary"; readonly data: JsonObject } =>
  model.provider === "ollama"
    ? {
        visibility: "summary",
        data: "text" in part && part.text !== "" ? { encrypted_content: part.text } : {},
      }
    : { visibility: "full", data: {} };
