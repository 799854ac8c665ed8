import type { EmulatorOptions } from "@mull/emulator";
import type { Fetch } from "mull";

import type { Outcome, Stage } from "../ask.ts";

export type Vendor = "anthropic" | "openai" | "google";

/** Changes what the emulator answers into something it does not serve by itself. */
export interface Adapter {
  /** For the manifest: what is not the emulator's own. */
  readonly does: string;
  readonly wrap: (fetch: Fetch) => Fetch;
}

/** What is asked for one cassette. Recording and replaying play the same scenario. */
export interface Scenario {
  /** `google/test_contract_simple_text` */
  readonly cassette: string;
  readonly vendor: Vendor;
  /** As the documents name it, with the wire in front where it is not the vendor's first. */
  readonly model: string;
  readonly emulator?: EmulatorOptions;
  readonly adapter?: Adapter;
  /** Why the live service cannot be asked for it, e.g. a rate limit that nobody can order. */
  readonly emulatedOnly?: string;
  /** The service is meant to refuse. */
  readonly fails?: true;
  readonly run: (stage: Stage) => Promise<Outcome>;
}
