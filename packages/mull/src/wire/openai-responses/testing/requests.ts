import type { JsonObject } from "../../../types/json.ts";
import type { AssistantPart, Message, Origin, Seal } from "../../../types/message.ts";
import { efforts, type Model } from "../../../types/model.ts";
import type { WireRequest } from "../../../types/request.ts";
import type { Encoded, EncodeTarget } from "../../../types/wire.ts";
import { encode as encodeRequest } from "../client/encode.ts";

/** A model of today that can be off. */
export const gpt6: Model = {
  id: "gpt-6-sol",
  provider: "openai",
  wire: "openai-responses",
  thinking: {
    kind: "effort",
    efforts: efforts.filter((effort) => effort !== "minimal"),
    off: "effort-none",
  },
  defaultThinking: "medium",
  shows: "summary",
  sampling: "only-off",
  toolChoice: "free",
  replay: "sealed",
  generation: "6",
  effortUpdates: true,
  cacheDiagnosis: true,
  status: "current",
};

export const origin: Origin = { wire: "openai-responses", provider: "openai", model: "gpt-6-sol" };
export const seal = (data: JsonObject): Seal => ({ origin, data });
export const user: Message = { role: "user", parts: [{ type: "text", text: "2+2?" }] };

export const encode = (
  fields: Partial<WireRequest> = {},
  target: Partial<EncodeTarget> = {},
): Encoded => {
  const model = target.model ?? gpt6;
  const request: WireRequest = {
    model: model.id,
    messages: [user],
    thinking: { type: "default" },
    show: "auto",
    stream: true,
    ...fields,
  };
  return encodeRequest(request, { ...target, model });
};
export const codes = ({ notes }: Encoded): readonly string[] => notes.map(({ code }) => code);
export const inputOf = (
  parts: readonly AssistantPart[],
  target: Partial<EncodeTarget> = {},
): unknown => encode({ messages: [{ role: "assistant", parts }] }, target).body["input"];
