import { claudeFamily } from "./anthropic.ts";
import { geminiFamily } from "./google.ts";
import type { Family } from "./look-up.ts";
import { openaiFamily } from "./openai.ts";
import { vendorFamilies } from "./vendors.ts";

/** Vendors that own names; a name belongs to the first one that knows it. */
export const makers: readonly Family[] = [
  claudeFamily,
  openaiFamily,
  geminiFamily,
  ...vendorFamilies,
];
