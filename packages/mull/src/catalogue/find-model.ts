import type { Model } from "../types/model.ts";
import { families } from "./families.ts";
import { lookUp, lookUpIn } from "./look-up.ts";

export interface FindModelOptions {
  /** Rows of your own; they win over the catalogue's. */
  readonly models?: readonly Model[];
  /** Look among this provider's models first. */
  readonly provider?: string;
}

const allModels: readonly Model[] = families.flatMap((family) => family.models);

const unknownFamily = (id: string, provider: string | undefined): Model => ({
  id,
  provider: provider ?? "unknown",
  wire: "openai-chat",
  thinking: { kind: "none" },
  shows: "nothing",
  sampling: "free",
  toolChoice: "free",
  replay: "optional",
  status: "current",
  assumed: true,
  note: `${id} is of no family in the catalogue: it is treated as a model that does not think.`,
});

/**
 * The row of a model id. Unknown ids of a known family get the family's newest rules, any other id
 * the traits of a model that does not think; both are marked `assumed`.
 */
export const findModel = (id: string, options: FindModelOptions = {}): Model => {
  const own = options.models && lookUp(id, options.models);
  if (own !== undefined) return own;
  const home = families.find((family) => family.provider === options.provider);
  const atHome = home && lookUpIn(home, id);
  if (atHome !== undefined) return atHome;
  const listed = lookUp(id, allModels);
  if (listed !== undefined) return listed;
  for (const family of families) {
    const assumed = lookUpIn(family, id);
    if (assumed !== undefined) return assumed;
  }
  return unknownFamily(id.trim(), options.provider);
};
