import { providers } from "../providers/index.ts";
import type { Provider } from "../types/provider.ts";
import { findKey, type Environment } from "./connection.ts";

/** A token of GitHub is often there for other tools: it doesn't mean that you want its models. */
const unsaying: ReadonlySet<string> = new Set(["github"]);

/** The model that answers when only a key says which vendor is meant, in order of preference. */
const usualModels: readonly (readonly [provider: string, model: string])[] = [
  ["anthropic", "claude-opus-5-5"],
  ["openai", "gpt-6-sol"],
  ["google", "gemini-3.8-flash"],
  ["deepseek", "deepseek-v4-flash"],
  ["xai", "grok-4.3"],
  ["openrouter", "anthropic/claude-opus-5-5"],
];

/** Whether the environment holds a key for a provider that asks for one. */
export const hasKey = (provider: Provider, env: Environment): boolean =>
  provider.auth !== "none" && findKey(provider, env) !== undefined;

/** Whether the environment holds a key for any provider. Without one, programs answer with simulated models. */
export const hasAnyKey = (env: Environment): boolean =>
  providers.some((provider) => hasKey(provider, env) && !unsaying.has(provider.id));

/** The model to ask if none is named: one that the keys in the environment can reach. */
export function usualModel(env: Environment): string {
  const keyed = providers.filter((provider) => hasKey(provider, env));
  const usual = usualModels.find(([id]) => keyed.some((provider) => provider.id === id));
  const [provider, model] = usual ?? firstOf(keyed) ?? usualModels[0]!;
  return `${provider}:${model}`;
}

/** The first model that is served by one of them, if the catalogue has any. */
const firstOf = (
  keyed: readonly Provider[],
): readonly [provider: string, model: string] | undefined =>
  keyed.flatMap(({ id, models }) => {
    const model = models.find(({ status }) => status === "current");
    return model === undefined ? [] : [[id, model.id] as const];
  })[0];
