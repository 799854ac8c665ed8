import { providers, type Model, type WireId } from "mull";

import type { ModelRoutes } from "./choose-target.ts";

/** The models a client may name: those of the map, and the current ones of the catalogue. */
export function modelNames({ model, map = {} }: ModelRoutes): readonly string[] {
  const named = [...Object.keys(map).filter((name) => !name.includes("*")), model ?? []].flat();
  const listed = providers
    .flatMap(({ models }) => models)
    .filter(({ status }: Model) => status === "current")
    .map(({ id }) => id);
  return [...new Set([...named, ...listed])];
}

/** The list of models as a service of this wire gives it. */
export function modelList(
  wire: WireId,
  models: readonly (readonly [name: string, model: Model])[],
): object {
  const pages = models.map(([name, model]) => modelPage(wire, name, model));
  switch (wire) {
    case "anthropic-messages":
      return {
        data: pages,
        has_more: false,
        first_id: models[0]?.[0] ?? null,
        last_id: models.at(-1)?.[0] ?? null,
      };
    case "google-generate":
      return { models: pages };
    case "openai-responses":
    case "openai-chat":
      return { object: "list", data: pages };
    default:
      return wire satisfies never;
  }
}

/** One model under the name it is asked by; `model` answers. */
export function modelPage(wire: WireId, id: string, { window, outputCap }: Model): object {
  switch (wire) {
    case "anthropic-messages":
      return {
        type: "model",
        id,
        display_name: id,
        created_at: "2026-01-01T00:00:00Z",
        ...(window !== undefined && { max_input_tokens: window }),
        ...(outputCap !== undefined && { max_tokens: outputCap }),
      };
    case "google-generate":
      return {
        name: `models/${id}`,
        displayName: id,
        ...(window !== undefined && { inputTokenLimit: window }),
        ...(outputCap !== undefined && { outputTokenLimit: outputCap }),
        supportedGenerationMethods: ["generateContent", "countTokens"],
      };
    case "openai-responses":
    case "openai-chat":
      return { id, object: "model", created: 1767225600, owned_by: "mull" };
    default:
      return wire satisfies never;
  }
}
