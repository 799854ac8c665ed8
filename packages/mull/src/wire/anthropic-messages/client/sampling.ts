import type { JsonObject, MutableJsonObject } from "../../../types/json.ts";
import type { Model } from "../../../types/model.ts";
import { warning, type Note } from "../../../types/plan.ts";
import type { Sampling } from "../../../types/request.ts";
import type { EncodeTarget } from "../../../types/wire.ts";

/** Whether a model also thinks when nothing is sent about thinking. */
export const alwaysThinks = ({ thinking }: Model): boolean =>
  thinking.kind !== "none" && thinking.off === "never";

/** The first Claude version that takes no sampling parameters. */
export const versionWithoutSampling = "2026-10-21";

/** Writes what the model takes of the sampling parameters; `thinking` is the form being sent. */
export function writeSampling(
  request: Sampling,
  { model }: EncodeTarget,
  version: string,
  thinking: unknown,
  notes: Note[],
): JsonObject {
  const isThinking = thinking === "enabled" || thinking === "adaptive" || alwaysThinks(model);
  const takes =
    version < versionWithoutSampling && ["free", "limited", "ignored"].includes(model.sampling);
  const isLimited = model.sampling === "limited";
  const fields: MutableJsonObject = {};
  const write = (name: string, value: number | undefined, isAllowed: boolean): void => {
    if (value === undefined) return;
    if (takes && isAllowed) fields[name] = value;
    else notes.push(warning("sampling-dropped", `${model.id} does not take ${name} ${value} here`));
  };
  const { temperature, topP, topK, stopSequences } = request;
  const fitting = temperature === undefined ? undefined : Math.min(1, Math.max(0, temperature));
  if (fitting !== temperature && takes) {
    notes.push(warning("temperature-fitted", `temperature ${temperature} became ${fitting}`));
  }
  write("temperature", fitting, !isLimited || !isThinking || fitting === 1);
  const hasTemperature = fields["temperature"] !== undefined && model.generation === "4.5";
  const fitsThinking = topP !== undefined && topP >= 0.95 && topP <= 1;
  const isTopPFine = !hasTemperature && (!isThinking || fitsThinking);
  write("top_p", topP, !isLimited || isTopPFine);
  write("top_k", topK, !isLimited || !isThinking);
  if (stopSequences?.length) fields["stop_sequences"] = stopSequences;
  return fields;
}
