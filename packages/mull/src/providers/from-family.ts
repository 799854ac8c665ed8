import type { Family } from "../catalogue/look-up.ts";
import { lookUpIn } from "../catalogue/look-up.ts";
import type { Provider } from "../types/provider.ts";

type Given = Pick<Provider, "name" | "wire" | "baseUrl" | "auth"> &
  Omit<Partial<Provider>, "models">;

const variable = ({ provider }: Family, what: string): string =>
  `${provider.toUpperCase().replaceAll("-", "_")}_${what}`;

/** A provider whose models are a family of the catalogue. */
export const fromFamily = (family: Family, given: Given): Provider => ({
  id: family.provider,
  baseUrlVariable: variable(family, "BASE_URL"),
  keyVariables: [variable(family, "API_KEY")],
  capabilities: ["thinking", "tools", "files", "structured-output"],
  assume: (id) => lookUpIn(family, id),
  ...given,
  get models() {
    return family.models();
  },
});
