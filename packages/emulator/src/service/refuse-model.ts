import type { Model, WireId } from "mull";

import { isLocalServer } from "./host.ts";
import type { ServiceExchange, Refusal } from "./service.ts";

/** Which wires of the catalogue a service answers for. */
const served: Readonly<Record<WireId, readonly WireId[]>> = {
  "anthropic-messages": ["anthropic-messages"],
  "openai-responses": ["openai-responses"],
  "openai-chat": ["openai-chat", "openai-responses"],
  "google-generate": ["google-generate"],
};

const isGone = (model: Model): boolean =>
  model.status === "retired" || model.status === "never-served";

const notFound = (wire: WireId, id: string, model: Model): Refusal["error"] => {
  switch (wire) {
    case "anthropic-messages":
      return { status: 404, type: "not_found_error", message: `model: ${id}` };
    case "google-generate":
      return {
        status: 404,
        type: "NOT_FOUND",
        message: `models/${id.replace(/^models\//, "")} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
      };
    case "openai-responses":
      return model.status === "retired"
        ? {
            status: 404,
            type: "invalid_request_error",
            message: `Model not found ${id}`,
            param: "model",
          }
        : {
            status: 400,
            type: "invalid_request_error",
            message: `The requested model '${id}' does not exist.`,
            param: "model",
            code: "model_not_found",
          };
    case "openai-chat":
      return {
        status: 404,
        type: "invalid_request_error",
        message:
          model.status === "retired"
            ? `The model \`${id}\` has been deprecated, learn more here: https://platform.openai.com/docs/deprecations`
            : `The model \`${id}\` does not exist or you do not have access to it.`,
        code: "model_not_found",
      };
    default:
      return wire satisfies never;
  }
};

/** Refuses models that the service does not know, no longer serves, or never served. */
export const refuseModel = (exchange: ServiceExchange): Refusal | undefined => {
  const { model, modelId, wire, world } = exchange;
  if (modelId === "" || world.options.unknownModels === "accept") return undefined;
  const isLocal = isLocalServer(model.provider);
  const isListed = model.assumed !== true || isLocal;
  // Local servers speak both of OpenAI's wires, whichever one the catalogue names.
  const isServed = served[wire].includes(model.wire) || (isLocal && wire === "openai-responses");
  const isKnown = isListed && isServed && !isGone(model);
  return isKnown ? undefined : { rule: "model/known", error: notFound(wire, modelId, model) };
};
