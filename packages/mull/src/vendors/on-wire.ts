import type { WireId } from "../types/message.ts";
import type { Model } from "../types/model.ts";

const openaiHosts: ReadonlySet<string> = new Set(["openai", "openai-chat", "azure"]);

/** Whether a model is one of OpenAI's own reasoning models. */
export const isOpenaiReasoner = (model: Model): boolean =>
  openaiHosts.has(model.provider) && model.thinking.kind === "effort";

/**
 * A row adapted to a wire. OpenAI's Chat Completions has no `max`, shows only a token count and
 * cannot carry reasoning back.
 */
export const onWire = (model: Model, wire: WireId | undefined): Model => {
  if (wire === undefined) return model;
  const moved = model.wire === wire ? model : { ...model, wire };
  if (wire !== "openai-chat" || !isOpenaiReasoner(model) || model.thinking.kind !== "effort") {
    return moved;
  }
  const efforts = model.thinking.efforts.filter((effort) => effort !== "max");
  return {
    ...moved,
    thinking: { ...model.thinking, efforts },
    shows: "nothing",
    replay: "forbidden",
    effortUpdates: false,
    cacheDiagnosis: false,
  };
};
