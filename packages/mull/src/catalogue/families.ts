import { claudeFamily } from "./anthropic.ts";
import { geminiFamily } from "./google.ts";
import { hostFamilies } from "./hosts.ts";
import type { Family } from "./look-up.ts";
import { openaiFamily } from "./openai.ts";
import { vendorFamilies } from "./vendors.ts";

/** Vendors that own names; a name belongs to the first one that knows it. */
export const families: readonly Family[] = [
  claudeFamily,
  openaiFamily,
  geminiFamily,
  ...vendorFamilies,
];

/** Everybody whose models can be asked for by provider id, hosts of other people's models included. */
export const allFamilies: readonly Family[] = [...families, ...hostFamilies];
