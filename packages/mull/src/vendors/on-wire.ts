import type { WireId } from "../types/message.ts";
import type { Model } from "../types/model.ts";

const openaiHosts: ReadonlySet<string> = new Set(["openai", "openai-chat", "azure"]);

/** One of OpenAI's own reasoning models, wherever its generation is known. */
export const isOpenaiReasoner = (model: Model): boolean =>
  openaiHosts.has(model.provider) && model.thinking.kind === "effort";

/**
 * A row as it is on a wire. Chat Completions of OpenAI tops out below `max`, shows nothing but a
 * count and cannot carry reasoning back.
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
  };
};
