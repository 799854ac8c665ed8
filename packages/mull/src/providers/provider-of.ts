import type { Provider } from "../types/provider.ts";
import type { Wire } from "../types/wire.ts";
import type { Vendor } from "../vendors/vendor.ts";

/** A vendor with its wire, as a provider. */
export const providerOf = (vendor: Vendor, wire: Wire): Provider => ({ ...vendor, wire });
