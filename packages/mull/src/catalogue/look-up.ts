import type { Model } from "../types/model.ts";

/** A vendor's rows, and its rules for ids without one. */
export interface Family {
  readonly provider: string;
  readonly models: readonly Model[];
  readonly assume: (id: string) => Model | undefined;
}

/**
 * The name a row is keyed by: last path segment, without the vendor and region prefixes of Bedrock
 * (`us.anthropic.claude-…`) and without the marker of fine-tuned models (`ft:gpt-…`).
 */
export const bareName = (id: string): string =>
  id
    .trim()
    .slice(id.trim().lastIndexOf("/") + 1)
    .replace(/^(?:[a-z]+\.)?(?:anthropic|openai|google|deepseek|qwen|mistral)\./, "")
    .replace(/^ft:/, "");

/** `-7` after `claude-opus-5` is another version, `-20250929`, `-001` and `-preview` are not. */
const continuesVersion = /^-\d{1,2}(?!\d)/;

const isForm = (name: string, row: string): boolean => {
  if (!name.startsWith(row)) return false;
  const rest = name.slice(row.length);
  return /^[-@:]/.test(rest) && !continuesVersion.test(rest);
};

const named = (row: Model, id: string): Model =>
  row.id === id ? row : { ...row, id, row: row.row ?? row.id };

/** Exact id, then the longest row the name begins with; never a substring. Earlier rows win ties. */
export const lookUp = (id: string, models: readonly Model[]): Model | undefined => {
  const asked = id.trim().replace(/^models\//, "");
  const name = bareName(asked);
  const exact =
    models.find((model) => model.id === asked) ?? models.find((model) => model.id === name);
  if (exact !== undefined) return named(exact, asked);
  let longest: Model | undefined;
  for (const model of models) {
    if (model.id.length <= (longest?.id.length ?? 0)) continue;
    if (isForm(name, model.id) || isForm(asked, model.id)) longest = model;
  }
  return longest && named(longest, asked);
};

/** The family's row, or its newest rules. */
export const lookUpIn = (family: Family, id: string): Model | undefined => {
  const found = lookUp(id, family.models);
  if (found !== undefined) return found;
  const assumed = family.assume(bareName(id));
  return assumed && named(assumed, id.trim().replace(/^models\//, ""));
};
