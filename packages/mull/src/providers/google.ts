import { providerOf } from "./provider-of.ts";
import type { Provider } from "../types/provider.ts";
import { google as vendor } from "../vendors/google.ts";
import { googleGenerate } from "../wire/google-generate/index.ts";

/** Google as a provider, on the Gemini API. */
export const google: Provider = /* @__PURE__ */ providerOf(vendor, googleGenerate);
