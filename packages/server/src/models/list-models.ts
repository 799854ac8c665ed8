import { providers, type Model, type Provider } from "mull";
import { usualModel } from "mull/wire";
import type { Upstream } from "../parts.ts";

/** What the picker shows, by vendor. Leaves out models that can't be asked any more. */
export const listModels = (upstream: (provider: Provider) => Upstream): readonly object[] =>
  providers
    .filter((provider) => provider.models.length > 0)
    .map((provider) => [provider, upstream(provider)] as const)
    .map(([provider, { isSimulated, hasKey = true }]) => ({
      id: provider.id,
      name: provider.name,
      simulated: isSimulated,
      available: isSimulated || hasKey,
      keyVariables: provider.keyVariables,
      models: provider.models.filter((row) => row.status !== "never-served").map(describeModel),
    }));

const mostRecommended = 4;

/** One model of each provider that answers, best-known providers first. */
export const recommendModels = (upstream: (provider: Provider) => Upstream): readonly string[] => {
  const answering = providers.filter((provider) => {
    const { isSimulated, hasKey = true } = upstream(provider);
    return provider.auth !== "none" && provider.models.length > 0 && (isSimulated || hasKey);
  });
  const usual = answering.map(({ keyVariables: [name] }) => usualModel({ [name!]: "set" }));
  return [...new Set(usual)].slice(0, mostRecommended);
};

const describeModel = (row: Model): object => ({
  id: row.id,
  thinking: row.thinking.kind,
  shows: row.shows,
  status: row.status,
  ...(row.successor !== undefined && { successor: row.successor }),
  ...(row.endOfLife !== undefined && { endOfLife: row.endOfLife }),
  ...(row.window !== undefined && { window: row.window }),
  ...(row.outputCap !== undefined && { outputCap: row.outputCap }),
  ...(row.price !== undefined && { price: row.price }),
  ...(row.files !== undefined && { files: row.files }),
});
