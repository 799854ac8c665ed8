import { hostFamilies } from "./hosts.ts";
import type { Family } from "./look-up.ts";
import { makers } from "./makers.ts";

/** Everybody whose models can be asked for by provider id, hosts of other people's models included. */
export const allFamilies: readonly Family[] = [...makers, ...hostFamilies];
