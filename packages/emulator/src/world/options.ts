import type { Model } from "mull";

import type { Script } from "../script/script.ts";
import type { Clock } from "./clock.ts";

/** Settings of `emulate`. */
export interface EmulatorOptions {
  /** Answers for the requests that match; the brain answers all others. */
  readonly scripts?: readonly Script[];
  /** Faults for every answer, e.g. `latency=200; pace=20`. */
  readonly faults?: string;
  /** Makes ids, seals and dates repeat from run to run. */
  readonly seed?: string;
  /** Key of the seals. Emulators with the same key can read each other's seals. */
  readonly secret?: string;
  /** Seals of the real services cannot be verified here: refuse them (default) or let them pass. */
  readonly foreignSeals?: "refuse" | "accept";
  /** Ids that are unknown or retired: refuse them (default) or answer by the rules of their family. */
  readonly unknownModels?: "refuse" | "accept";
  /** Accounts made since 31 August 2026 have their seals bound to the prefix on more models (default). */
  readonly accounts?: "newer" | "older";
  /** Rows that are not in the catalogue. */
  readonly models?: readonly Model[];
  /** How many requests the journal keeps; 1000 unless told. */
  readonly journalLength?: number;
  readonly clock?: Clock;
  /** Says under every answer of the brain that it is simulated (default). Leave it out if the screen says so. */
  readonly note?: boolean;
}
