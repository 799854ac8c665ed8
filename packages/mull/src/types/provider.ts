import type { Model } from "./model.ts";
import type { Quirks } from "./quirks.ts";
import type { Wire } from "./wire.ts";

/** What a provider supports, summarised over its models. */
export type Capability = "thinking" | "tools" | "files" | "structured-output";

/** A provider as data: its wire, address, key variables, quirks and models. */
export interface Provider {
  readonly id: string;
  /** The name people use: Anthropic, OpenAI, Google. */
  readonly name: string;
  /** Other names for the id: `claude` for `anthropic`. */
  readonly aliases?: readonly string[];
  readonly wire: Wire;
  readonly baseUrl: string;
  /** How the key is sent. `none`: no key is needed; one that is given is sent as a bearer token. */
  readonly auth: "x-api-key" | "bearer" | "x-goog-api-key" | "none";
  /** Environment variables that may hold the key, first found wins. */
  readonly keyVariables: readonly string[];
  readonly baseUrlVariable: string;
  readonly capabilities: readonly Capability[];
  readonly models: readonly Model[];
  /** Rules for ids that are not in `models`; `undefined` means unknown family. */
  readonly assume: (id: string) => Model | undefined;
  readonly quirks?: Quirks;
}
