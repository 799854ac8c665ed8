import type { Model } from "../../../types/model.ts";

/** A row that thinks by effort and never stops. */
export const reasoner: Model = {
  id: "gpt-5-mini",
  provider: "openai",
  wire: "openai-chat",
  thinking: { kind: "effort", efforts: ["minimal", "low", "medium", "high"], off: "never" },
  shows: "nothing",
  sampling: "never",
  toolChoice: "free",
  replay: "forbidden",
  status: "current",
};

/** A row that does not think. */
export const plain: Model = {
  ...reasoner,
  id: "gpt-4.1",
  thinking: { kind: "none" },
  sampling: "free",
  replay: "optional",
};

/** A server that takes everything and shows everything. */
export const openServer: Model = { ...plain, id: "m", provider: "acme", shows: "full" };
