import { findModel } from "../catalogue/find-model.ts";
import { type ModelRef, parseModelRef } from "../dial/ref.ts";
import { nearest } from "../types/check-names.ts";
import { invalidArgument, wrongArgument, type MullError, requireObject } from "../types/error.ts";
import type { Model } from "../types/model.ts";
import type { Provider } from "../types/provider.ts";
import { vendors } from "../vendors/index.ts";
import { lookUp } from "../vendors/look-up.ts";
import { anthropic } from "./anthropic.ts";
import { google } from "./google.ts";
import { openai, openaiChatProvider } from "./openai.ts";
import { providerOf } from "./provider-of.ts";
import { modelAt, settle, type ResolvedModel } from "./target-of.ts";
import { wires } from "../wire/wires.ts";

/** The providers with an entry of their own, so that `mull/anthropic` and `mull` give out the same object. */
const withEntry: readonly Provider[] = [anthropic, openai, openaiChatProvider, google];

/** All built-in providers. */
export const providers: readonly Provider[] = vendors.map(
  (vendor) =>
    withEntry.find((provider) => provider.id === vendor.id) ??
    providerOf(vendor, wires[vendor.wire]),
);

const unknownProvider = (
  what: string,
  known: readonly Provider[],
  fix = "Write provider:name, or pass a provider of your own.",
): MullError => {
  const ids = known.map((provider) => provider.id);
  return wrongArgument(`${what}. Providers: ${ids.join(" ")}`, "provider", { allowed: ids, fix });
};

const unknownModel = (name: string, known: readonly Provider[]): MullError => {
  const names = known.flatMap(({ models }) => models.map(({ id }) => id));
  const meant = nearest(name, names);
  return unknownProvider(
    `No provider is known for the model ${JSON.stringify(name)}`,
    known,
    meant && `Did you mean ${meant}?`,
  );
};

const pickProvider = (id: string, known: readonly Provider[]): Provider => {
  const found =
    known.find((provider) => provider.id === id) ??
    known.find((provider) => provider.aliases?.includes(id));
  if (found === undefined) {
    throw unknownProvider(`Unknown provider ${JSON.stringify(id)}`, known);
  }
  return found;
};

/** A built-in provider by its id or another name for it, e.g. `openai-responses` or `gemini`. */
export const findProvider = (id: string): Provider => pickProvider(id, providers);

export interface ResolveOptions {
  /** Rows of your own; they win over the catalogue's. */
  readonly models?: readonly Model[];
  /** Providers of your own; they win over the built-in ones. */
  readonly providers?: readonly Provider[];
}

/** Whose model it is, if only the name says so: own rows and providers first. */
const ownerOf = (name: string, options: ResolveOptions): Model => {
  const own = lookUp(name, options.models ?? []);
  if (own !== undefined) return own;
  for (const provider of options.providers ?? []) {
    const listed = lookUp(name, provider.models);
    if (listed !== undefined) return { ...listed, provider: provider.id };
  }
  return findModel(name);
};

/**
 * The provider, the model's row and the level that a ref names. Without a provider in the ref, the
 * model's name decides.
 */
export const resolveModel = (
  ref: string | ModelRef,
  options: ResolveOptions = {},
): ResolvedModel => {
  requireObject("options", options, "an object");
  const own = options.providers ?? [];
  const known = [...own, ...providers];
  if (typeof ref !== "string" && typeof ref?.name !== "string")
    throw invalidArgument(
      "model",
      ref,
      "a ref such as claude-opus-5-5/high, or what parseModelRef returns",
    );
  const {
    provider: id,
    name,
    level,
  } = typeof ref === "string"
    ? parseModelRef(ref, {
        providers: own.flatMap(({ id: alias, aliases = [] }) => [alias, ...aliases]),
      })
    : ref;
  if (id !== undefined) {
    const provider = pickProvider(id, known);
    return settle(provider, modelAt(provider, name, options.models), level);
  }
  const model = ownerOf(name, options);
  if (model.provider === "unknown") throw unknownModel(name, known);
  return settle(pickProvider(model.provider, known), model, level);
};
