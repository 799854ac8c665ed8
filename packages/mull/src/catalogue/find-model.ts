import { wrongArgument, type MullError, invalidArgument } from "../types/error.ts";
import { isJsonObject } from "../types/json.ts";
import type { Model } from "../types/model.ts";
import { lookUp, unknownModel } from "../vendors/look-up.ts";
import { makers } from "../vendors/makers.ts";
import { vendors } from "../vendors/index.ts";
import type { Vendor } from "../vendors/vendor.ts";

/** Where `findModel` looks besides the built-in catalogue. */
export interface FindModelOptions {
  /** Rows of your own; they win over the catalogue's. */
  readonly models?: readonly Model[];
  /** The provider that serves it; without one it is inferred from the name. */
  readonly provider?: string;
}

/**
 * Finds the row of a model id. An unknown id of a known family gets the family's newest traits, any
 * other id those of a model that does not think; both are marked `assumed`.
 */
export const findModel = (id: string, options: FindModelOptions = {}): Model => {
  if (typeof id !== "string") throw refusal("model", id, "an id such as claude-opus-5-5");
  const isGiven: boolean = isJsonObject(options);
  if (!isGiven) throw refusal("options", options, "an object");
  const own = options.models && lookUp(id, options.models);
  if (own !== undefined) return own;
  const { provider = "unknown" } = options;
  const home = findVendor(provider);
  if (home !== undefined) return home.assume(id) ?? unknownModel(id, home.id, home.wire);
  return makersModel(id) ?? unknownModel(id, provider, "openai-chat");
};

const rows: readonly Model[] = /* @__PURE__ */ makers.flatMap(({ models }) => models);

/** The model that a bare name means; `undefined` if no maker knows it. */
export const makersModel = (id: string): Model | undefined => {
  const listed = lookUp(id, rows);
  if (listed !== undefined) return listed;
  for (const { assume } of makers) {
    const assumed = assume(id);
    if (assumed !== undefined) return assumed;
  }
  return undefined;
};

/** Small bundles have the catalogue without `invalidArgument`. */
const refusal = (field: string, value: unknown, allowed: string): MullError =>
  wrongArgument(`${field}: ${typeof value} is not allowed. Allowed: ${allowed}`, field);

/** Finds a vendor by its id or another name for it, e.g. `gemini`. */
export const findVendor = (id: string): Vendor | undefined =>
  vendors.find((vendor) => vendor.id === id || vendor.aliases?.includes(id));

/** The name people use for a provider: `OpenAI` for `openai-chat`. */
export const providerName = (id: string): string => {
  if (typeof id !== "string") throw invalidArgument("provider", id, "an id such as openai-chat");
  return findVendor(id)?.name ?? id;
};
