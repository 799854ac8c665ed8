import { isLevelWord, parseLevel } from "../dial/level.ts";
import { invalidArgument } from "../types/error.ts";
import type { Level } from "../types/level.ts";
import type { Model } from "../types/model.ts";
import type { Provider } from "../types/provider.ts";
import { lookUp, unknownModel } from "../vendors/look-up.ts";
import { onWire } from "../vendors/on-wire.ts";

export interface ResolvedModel {
  readonly provider: Provider;
  readonly model: Model;
  readonly level?: Level;
}

/** A provider and one of its models by name, e.g. `targetOf(anthropic, "claude-opus-5-5/med")`. */
export function targetOf(provider: Provider, model: string): ResolvedModel {
  if (typeof model !== "string") throw invalidArgument("model", model, "a name");
  const slash = model.lastIndexOf("/");
  const [name, word] = [model.slice(0, Math.max(0, slash)), model.slice(slash + 1)];
  // Names hold slashes, too (`moonshotai/kimi-k3`), but behind the name of a known model comes a level.
  const hasLevel = name !== "" && (isLevelWord(word) || lookUp(name, provider.models));
  return hasLevel
    ? settle(provider, modelAt(provider, name), parseLevel(word))
    : settle(provider, modelAt(provider, model));
}

export const modelAt = (provider: Provider, name: string, models: readonly Model[] = []): Model =>
  lookUp(name, models) ??
  lookUp(name, provider.models) ??
  provider.assume(name) ??
  unknownModel(name, provider.id, provider.wire.id);

/** The model as this provider serves it; what differs from the provider's other models is folded in. */
export function settle(provider: Provider, model: Model, level?: Level): ResolvedModel {
  const { quirks, ...row } = onWire({ ...model, provider: provider.id }, provider.wire.id);
  return {
    provider:
      quirks === undefined ? provider : { ...provider, quirks: { ...provider.quirks, ...quirks } },
    model: row,
    ...(level !== undefined && { level }),
  };
}
