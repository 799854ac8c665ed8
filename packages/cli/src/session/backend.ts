import {
  findKey,
  isMullError,
  levels,
  MullError,
  parseLevel,
  providers,
  type AgentOptions,
  type ChatTarget,
  type Environment,
  type Level,
  type Provider,
} from "mull";

import type { Settings } from "../config/settings.ts";
import { didYouMean } from "../frame/nearest.ts";
import { UsageError } from "../frame/usage-error.ts";
import { resolveRef } from "./resolve.ts";

/** The target that answers, and whether it is a real service. */
export interface Backend {
  readonly target: ChatTarget & { readonly level: Level };
  readonly isSimulated: boolean;
  readonly options: Pick<AgentOptions, "fetch" | "apiKey" | "env" | "sleep" | "simulated">;
}

/** Often set for other tools, so it does not mean that the user wants this vendor. */
const unsaying: ReadonlySet<string> = new Set(["github"]);

/** The model of a vendor that answers when only a key says which vendor is meant. */
const defaultModels: readonly (readonly [provider: string, model: string])[] = [
  ["anthropic", "claude-opus-5-5"],
  ["openai", "gpt-6-sol"],
  ["google", "gemini-3.8-flash"],
  ["deepseek", "deepseek-v4-flash"],
  ["xai", "grok-4.3"],
  ["openrouter", "anthropic/claude-opus-5-5"],
];

const defaultLevel: Level = "med";

export interface BackendAsk extends Pick<Settings, "model" | "level"> {
  readonly env: Environment;
  /** Use the emulator even where there is a key. */
  readonly simulate?: boolean;
  /** Nothing is sent to a service, so that no key is needed. */
  readonly isOffline?: boolean;
  /** How fast the emulator writes, as its faults; at once unless given. */
  readonly pace?: string;
}

/** Without any key the emulator answers; with some, a model without one is refused. */
export async function chooseBackend(ask: BackendAsk): Promise<Backend> {
  const { env } = ask;
  const target = resolveTarget(ask);
  const isKeyless = !providers.some(
    (provider) => hasOwnKey(provider, env) && !unsaying.has(provider.id),
  );
  const isReachable = target.provider.auth === "none" || hasOwnKey(target.provider, env);
  if (ask.simulate || (!isReachable && isKeyless)) {
    const { simulate } = await import("./simulated.ts");
    const fetch = simulate(ask.pace);
    return { target, isSimulated: true, options: { fetch, apiKey: "emulated", env } };
  }
  if (isReachable) return { target, isSimulated: false, options: { env } };
  if (!ask.isOffline) throw missingKey(target.provider);
  return { target, isSimulated: false, options: { env, apiKey: "none needed" } };
}

const hasOwnKey = (provider: Provider, env: Environment): boolean =>
  provider.auth !== "none" && findKey(provider, env) !== undefined;

function resolveTarget({ model, level, env }: BackendAsk): Backend["target"] {
  const target = resolveRef(model ?? defaultRef(env));
  // A level given separately wins over the one in the ref: it is the more specific wish.
  return { ...target, level: readLevel(level ?? target.level ?? defaultLevel) };
}

function readLevel(word: string): Level {
  try {
    return parseLevel(word);
  } catch (error) {
    const said = `Unknown level ${JSON.stringify(word)}. Levels: ${levels.join(" ")}`;
    throw isMullError(error) ? new UsageError(said, didYouMean(word, levels)) : error;
  }
}

export function defaultRef(env: Environment): string {
  const keyed = providers.filter((provider) => hasOwnKey(provider, env));
  const usual = defaultModels.find(([id]) => keyed.some((provider) => provider.id === id));
  const [provider, model] = usual ?? firstOf(keyed) ?? defaultModels[0]!;
  return `${provider}:${model}`;
}

/** The first model that is served by one of them, where the catalogue has any. */
const firstOf = (
  keyed: readonly Provider[],
): readonly [provider: string, model: string] | undefined =>
  keyed.flatMap(({ id, models }) => {
    const model = models.find(({ status }) => status === "current");
    return model === undefined ? [] : [[id, model.id] as const];
  })[0];

const missingKey = (provider: Provider): MullError =>
  new MullError(`No key for ${provider.name}.`, {
    category: "auth",
    code: "missing_key",
    provider: provider.id,
    fix: `export ${provider.keyVariables[0]}=…   or   mull keys set ${provider.id}`,
  });
