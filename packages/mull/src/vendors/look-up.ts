import type { WireId } from "../types/message.ts";
import type { Model } from "../types/model.ts";

/** Default traits of open models. */
export const openTraits = {
  sampling: "free",
  toolChoice: "free",
  replay: "optional",
  status: "current",
} as const;

/**
 * The name that a row is found by: the last path segment in lower case, without the vendor and region
 * prefixes of Bedrock (`us.anthropic.claude-…`) and the marker of fine-tuned models (`ft:gpt-…`),
 * and with the dashes that gateways write as dots (`claude-haiku-4.5`).
 */
const bareName = (id: string): string => {
  const last = id.slice(id.lastIndexOf("/") + 1).trim();
  const name = last
    .toLowerCase()
    .replace(/^(?:[a-z]+\.)?(?:anthropic|openai|google|deepseek|qwen|mistral|moonshot)\./, "")
    .replace(/^ft:/, "");
  return name.startsWith("claude-") ? name.replaceAll(".", "-") : name;
};

/** The id as a service of the vendor takes it. */
const plainId = (id: string): string => id.trim().replace(/^models\//, "");

/** `-7` after `claude-opus-5` is another version; `-0`, `-20250929`, `-001` and `-preview` are not. */
const continuesVersion = /^-(?!0(?!\d))\d{1,2}(?![\da-z])/;

const isForm = (name: string, row: string): boolean => {
  if (!name.startsWith(row)) return false;
  const rest = name.slice(row.length);
  return /^[-@:]/.test(rest) && !continuesVersion.test(rest);
};

const named = (row: Model, id: string): Model =>
  row.id === id ? row : { ...row, id, row: row.row ?? row.id };

/**
 * Finds a row by its exact id, else the row with the longest id the name begins with; never a
 * substring. Earlier rows win ties.
 */
export const lookUp = (id: string, models: readonly Model[]): Model | undefined => {
  const asked = plainId(id);
  const name = bareName(asked);
  const exact =
    models.find((model) => model.id === asked) ??
    models.find((model) => model.id.length === name.length && model.id.toLowerCase() === name);
  if (exact !== undefined) return named(exact, asked);
  let longest: Model | undefined;
  for (const model of models) {
    if (model.id.length <= (longest?.id.length ?? 0)) continue;
    if (isForm(name, model.id) || isForm(asked, model.id)) longest = model;
  }
  return longest && named(longest, asked);
};

/** The assumed row for an id without one. */
export const assumeNamed = (
  id: string,
  assume: (name: string) => Model | undefined,
): Model | undefined => {
  const assumed = assume(bareName(id));
  return assumed && named(assumed, plainId(id));
};

/** The assumed row for an id of no known family: a model that does not think. */
export const unknownModel = (id: string, provider: string, wire: WireId): Model => ({
  id: plainId(id),
  provider,
  wire,
  thinking: { kind: "none" },
  shows: "nothing",
  ...openTraits,
  assumed: true,
  note: `${id} belongs to no family in the catalogue: it is treated as a model that does not think.`,
});
