import type { Family } from "../catalogue/look-up.ts";
import { lookUpIn } from "../catalogue/look-up.ts";
import type { Provider } from "../types/provider.ts";

type Given = Pick<Provider, "name" | "wire" | "baseUrl" | "auth" | "keyVariables"> &
  Omit<Partial<Provider>, "models">;

/** A provider whose models are a family of the catalogue. */
export const fromFamily = (family: Family, given: Given): Provider => ({
  id: family.provider,
  baseUrlVariable: `${family.provider.toUpperCase().replaceAll("-", "_")}_BASE_URL`,
  capabilities: ["thinking", "tools", "files", "structured-output"],
  assume: (id) => lookUpIn(family, id),
  ...given,
  get models() {
    return family.models();
  },
});
