import {
  MullError,
  type AgentOptions,
  type ChatTarget,
  type Environment,
  type Level,
  type Provider,
} from "mull";
import { hasAnyKey, hasKey, usualModel } from "mull/wire";

import type { Settings } from "../config/settings.ts";
import { readLevel, resolveRef } from "./resolve.ts";
import type { Simulation } from "./simulated.ts";

/** The target that answers, and whether it is a real service. */
export interface Backend {
  readonly target: ChatTarget & { readonly level: Level };
  readonly isSimulated: boolean;
  readonly options: Pick<AgentOptions, "fetch" | "apiKey" | "env" | "sleep" | "simulated">;
}

const defaultLevel: Level = "med";

export interface BackendAsk extends Pick<Settings, "model" | "level"> {
  readonly env: Environment;
  /** Use the emulator even if there is a key. */
  readonly simulate?: boolean;
  /** Nothing is sent to a service, so that no key is needed. */
  readonly isOffline?: boolean;
  /** How the emulator answers: at once, and with a note, unless given. */
  readonly simulation?: Simulation;
}

/** Without any key the emulator answers; with some, a model without one is refused. */
export async function chooseBackend(ask: BackendAsk): Promise<Backend> {
  const { env } = ask;
  const target = resolveTarget(ask);
  const isReachable = target.provider.auth === "none" || hasKey(target.provider, env);
  if (ask.simulate || (!isReachable && !hasAnyKey(env))) {
    const { simulate } = await import("./simulated.ts");
    const fetch = simulate(ask.simulation);
    return { target, isSimulated: true, options: { fetch, apiKey: "emulated", env } };
  }
  if (isReachable) return { target, isSimulated: false, options: { env } };
  if (!ask.isOffline) throw missingKey(target.provider);
  return { target, isSimulated: false, options: { env, apiKey: "none needed" } };
}

function resolveTarget({ model, level, env }: BackendAsk): Backend["target"] {
  const target = resolveRef(model ?? usualModel(env));
  // A level given separately wins over the one in the ref: it is the more specific wish.
  return { ...target, level: readLevel(level ?? target.level ?? defaultLevel) };
}

export const missingKey = (provider: Provider): MullError =>
  new MullError(`No key for ${provider.name}.`, {
    category: "auth",
    code: "missing_key",
    provider: provider.id,
    fix: `export ${provider.keyVariables[0]}=…   or   mull keys set ${provider.id}`,
  });
