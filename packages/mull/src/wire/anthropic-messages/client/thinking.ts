import type { JsonObject, MutableJsonObject } from "../../../types/json.ts";
import { efforts, type Effort, type Model } from "../../../types/model.ts";
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

/** Writes the thinking setting in the form this model takes. `maxTokens` is the whole output cap. */
export function writeThinking(
  request: WireRequest,
  target: EncodeTarget,
  maxTokens: number,
  notes: Note[],
): ThinkingFields {
  const { model } = target;
  const form = formOf(request, model, maxTokens, notes);
  const effort = effortOf(request, model, notes);
  const betas: string[] = [];
  const isOn = form?.["type"] === "enabled" || form?.["type"] === "adaptive";
  // Vendors that only imitate the wire do not know the field.
  if (isOn && target.quirks?.unsignedThinking !== true) {
    form["display"] = request.show === false ? "omitted" : "summarized";
  }
  if (form?.["type"] === "enabled" && request.tools?.length) {
    betas.push("interleaved-thinking-2025-05-14");
  }
  return { betas, ...(form && { thinking: form }), ...(effort && { effort }) };
}

function formOf(
  request: WireRequest,
  model: Model,
  maxTokens: number,
  notes: Note[],
): MutableJsonObject | undefined {
  const { thinking } = request;
  switch (thinking.type) {
    case "default":
      return undefined;
    case "off":
      return thinking.form === "disabled" || thinking.form === "between_tools"
        ? { type: thinking.form }
        : undefined;
    case "budget":
      return budgetForm(thinking.tokens, maxTokens, notes);
    case "effort":
    case "on":
      if (model.thinking.kind === "effort") return { type: "adaptive" };
      return thinking.type === "on" && model.thinking.kind !== "none"
        ? budgetForm(leastBudget, maxTokens, notes)
        : undefined;
    case "level":
    default:
      notes.push(dropped(`${model.id} has no thinking level ${thinking.level}`));
      return undefined;
  }
}

const dropped = (message: string): Note => warning("thinking-dropped", message);

/** The budget must stay below the cap it is spent from. */
function budgetForm(
  tokens: number,
  maxTokens: number,
  notes: Note[],
): MutableJsonObject | undefined {
  const fitting = Math.max(leastBudget, Math.min(tokens, maxTokens - 1));
  if (fitting >= maxTokens) {
    notes.push(dropped(`no room for thinking within ${maxTokens} output tokens`));
    return undefined;
  }
  if (fitting !== tokens) {
    notes.push(warning("budget-fitted", `thinking budget ${tokens} became ${fitting}`));
  }
  return { type: "enabled", budget_tokens: fitting };
}

/** The fields about effort that a kind of thinking may have. */
interface EffortTraits {
  readonly kind: string;
  readonly efforts?: readonly Effort[];
  readonly maxEffortWhenOff?: Effort;
}

function effortOf(request: WireRequest, model: Model, notes: Note[]): Effort | undefined {
  const { thinking } = request;
  const effort = "effort" in thinking ? thinking.effort : undefined;
  if (effort === undefined) return undefined;
  const traits: EffortTraits = model.thinking;
  const { efforts: allowed = [] } = traits;
  const ceiling = thinking.type === "off" ? traits.maxEffortWhenOff : undefined;
  const tooHigh = ceiling !== undefined && efforts.indexOf(effort) > efforts.indexOf(ceiling);
  if (allowed.includes(effort) && !tooHigh) return effort;
  notes.push(warning("effort-dropped", `${model.id} does not take effort ${effort} here`));
  return undefined;
}
