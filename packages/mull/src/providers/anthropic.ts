import { providerOf } from "./provider-of.ts";
import type { Provider } from "../types/provider.ts";
import { anthropic as vendor } from "../vendors/anthropic.ts";
import { anthropicMessages } from "../wire/anthropic-messages/index.ts";

/** Anthropic as a provider, on its Messages API. */
export const anthropic: Provider = /* @__PURE__ */ providerOf(vendor, anthropicMessages);
