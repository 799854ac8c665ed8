import type { JsonObject, MutableJsonObject } from "../../../types/json.ts";
import type { Effort, Model } from "../../../types/model.ts";
import { warning, type Note } from "../../../types/plan.ts";
import type { WireRequest } from "../../../types/request.ts";
import type { EncodeTarget } from "../../../types/wire.ts";

export interface ThinkingFields {
  readonly thinking?: JsonObject;
  readonly effort?: Effort;
  readonly betas: readonly string[];
}

/** The least budget the service takes. */
const leastBudget = 1024;

/** Writes the thinking setting in Anthropic's form. What fits the model and its cap is decided by then. */
export function writeThinking(
  request: WireRequest,
  { model, quirks }: EncodeTarget,
  notes: Note[],
): ThinkingFields {
  const { thinking } = request;
  const form = formOf(request, model, notes);
  const effort = "effort" in thinking ? thinking.effort : undefined;
  const betas: string[] = [];
  const isOn = form?.["type"] === "enabled" || form?.["type"] === "adaptive";
  // Vendors that only imitate the wire do not know the field.
  if (isOn && quirks?.unsignedThinking !== true) {
    form["display"] = request.show === false ? "omitted" : "summarized";
  }
  if (form?.["type"] === "enabled" && request.tools?.length) {
    betas.push("interleaved-thinking-2025-05-14");
  }
  return { betas, ...(form && { thinking: form }), ...(effort && { effort }) };
}

function formOf(
  { thinking }: WireRequest,
  model: Model,
  notes: Note[],
): MutableJsonObject | undefined {
  switch (thinking.type) {
    case "default":
      return undefined;
    case "off":
      return thinking.form === "disabled" || thinking.form === "between_tools"
        ? { type: thinking.form }
        : undefined;
    case "budget":
      return { type: "enabled", budget_tokens: thinking.tokens };
    case "effort":
    case "on":
      if (model.thinking.kind === "effort") return { type: "adaptive" };
      return thinking.type === "on" && model.thinking.kind !== "none"
        ? { type: "enabled", budget_tokens: leastBudget }
        : undefined;
    case "level":
    default:
      notes.push(
        warning("thinking-dropped", `${model.id} has no thinking level ${thinking.level}`),
      );
      return undefined;
  }
}
