import { invalidArgument } from "../types/error.ts";
import { vendors } from "../vendors/index.ts";
import type { Vendor } from "../vendors/vendor.ts";

/** Finds a vendor by its id or another name for it, e.g. `gemini`. */
export const findVendor = (id: string): Vendor | undefined =>
  vendors.find((vendor) => vendor.id === id || vendor.aliases?.includes(id));

/** The name people use for a provider: `OpenAI` for `openai-chat`. */
export const providerName = (id: string): string => {
  if (typeof id !== "string") throw invalidArgument("provider", id, "an id such as openai-chat");
  return findVendor(id)?.name ?? id;
};
