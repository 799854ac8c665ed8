/** Google as a provider and its wire. */
import { providerOf } from "./providers/provider-of.ts";
import type { Provider } from "./types/provider.ts";
import { google as vendor } from "./vendors/google.ts";
import { googleGenerate } from "./wire/google-generate/index.ts";

export { googleGenerate };
/** Google as a provider, on the Gemini API. */
export const google: Provider = /* @__PURE__ */ providerOf(vendor, googleGenerate);
