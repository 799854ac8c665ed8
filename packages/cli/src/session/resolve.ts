import {
  isMullError,
  levels,
  MullError,
  parseLevel,
  providers,
  resolveModel,
  type ChatTarget,
  type Level,
} from "mull";

import { didYouMean, nearest } from "../frame/nearest.ts";
import { UsageError } from "../frame/usage-error.ts";

/** A ref as people type it. What is unknown in it is answered with what was probably meant. */
export function resolveRef(ref: string): ChatTarget {
  try {
    return resolveModel(ref);
  } catch (error) {
    if (!isMullError(error)) throw error;
    const meant = error.field === "level" ? meantLevel(ref) : meantModel(ref);
    throw new UsageError(error.message, meant ?? error.fix);
  }
}

/** A level as people type it. */
export function readLevel(word: string): Level {
  try {
    return parseLevel(word);
  } catch (error) {
    const said = `Unknown level ${JSON.stringify(word)}. Levels: ${levels.join(" ")}`;
    throw isMullError(error) ? new UsageError(said, didYouMean(word, levels)) : error;
  }
}

function meantLevel(ref: string): string | undefined {
  const found = nearest(ref.slice(ref.lastIndexOf("/") + 1), levels);
  return found && `Did you mean ${ref.slice(0, ref.lastIndexOf("/"))}/${found}?`;
}

/** What to ask instead of a model that the service does not have. */
export const modelAdvice = ({ category }: MullError, model: string): string | undefined =>
  category === "not_found" ? meantModel(model) : undefined;

function meantModel(ref: string): string {
  const found = nearestModel(ref.split("/")[0] ?? ref);
  return found === undefined ? "mull models lists them." : `Did you mean ${found}?`;
}

/** The model of the catalogue whose name is nearest to one that is not in it. */
export const nearestModel = (name: string): string | undefined =>
  nearest(
    name,
    providers.flatMap(({ models }) => models.map(({ id }) => id)).filter((id) => id !== name),
  );

/** Letters slip; another number is more likely a model that is newer than the catalogue. */
export function slippedModel(name: string): string | undefined {
  const found = nearestModel(name);
  return found?.replaceAll(/\D/g, "") === name.replaceAll(/\D/g, "") ? found : undefined;
}

export const noKeyFor = ({ provider }: ChatTarget): MullError =>
  new MullError(`No key for ${provider.name}.`, {
    category: "auth",
    code: "missing_key",
    provider: provider.id,
    fix: `export ${provider.keyVariables[0]}=…   before the next start`,
  });
