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
export function modelList(wire: WireId, names: readonly string[]): object {
  switch (wire) {
    case "anthropic-messages":
      return {
        data: names.map((id) => ({
          type: "model",
          id,
          display_name: id,
          created_at: "2026-01-01T00:00:00Z",
        })),
        has_more: false,
        first_id: names[0] ?? null,
        last_id: names.at(-1) ?? null,
      };
    case "google-generate":
      return {
        models: names.map((id) => ({
          name: `models/${id}`,
          displayName: id,
          supportedGenerationMethods: ["generateContent", "countTokens"],
        })),
      };
    case "openai-responses":
    case "openai-chat":
      return {
        object: "list",
        data: names.map((id) => ({ id, object: "model", created: 1767225600, owned_by: "mull" })),
      };
    default:
      return wire satisfies never;
  }
}
