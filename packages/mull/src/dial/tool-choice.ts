import type { Model } from "../types/model.ts";
import { warning, type Note, type ThinkingPlan } from "../types/plan.ts";
import type { ChatRequest } from "../types/request.ts";
import type { ToolChoice } from "../types/tool.ts";
import { traitsOf } from "../wire/traits.ts";
import { isOffByDefault } from "./view.ts";

/** The choice to send, and a note if it is not the one that was asked for. */
interface SettledChoice {
  readonly toolChoice?: ToolChoice;
  readonly notes: readonly Note[];
}

type ChoiceWish = Pick<ChatRequest, "output"> & { readonly toolChoice?: ToolChoice | undefined };
type Planned = Pick<ThinkingPlan, "wire" | "setting">;

const isForced = (choice: ToolChoice): boolean =>
  choice === "required" || typeof choice === "object";

const mayThink = (model: Model, { setting }: Planned): boolean => {
  if (setting.type === "default") return !isOffByDefault(model);
  return setting.type !== "off" && !(setting.type === "effort" && setting.effort === "none");
};

/** When the model takes no forced choice, in words; `undefined`: it takes it now. */
const refusedWhen = (model: Model, plan: Planned, { output }: ChoiceWish): string | undefined => {
  const limit = model.toolChoice;
  if (limit === "auto-only") return "";
  if (limit === "not-with-budget" && plan.setting.type === "budget")
    return " with a thinking budget";
  if (limit === "not-thinking" && mayThink(model, plan)) return " while it thinks";
  return traitsOf[plan.wire].schemaOrForcedTool && output !== undefined
    ? " with a JSON schema"
    : undefined;
};

/** Changes a forced tool choice to one the model accepts while it thinks as planned. */
export const settleToolChoice = (model: Model, plan: Planned, wish: ChoiceWish): SettledChoice => {
  const { toolChoice } = wish;
  if (toolChoice === undefined) return { notes: [] };
  if (!isForced(toolChoice)) return { toolChoice, notes: [] };
  const when = refusedWhen(model, plan, wish);
  if (when !== undefined) {
    const message = `${model.id} takes no forced tool choice${when}: the model chooses.`;
    return { notes: [warning("tool-choice-dropped", message)] };
  }
  if (typeof toolChoice === "object" && model.toolChoice === "not-named" && mayThink(model, plan)) {
    const message = `${model.id} cannot be made to call ${toolChoice.tool} while it thinks: it must call a tool, and chooses which.`;
    return { toolChoice: "required", notes: [warning("tool-choice-widened", message)] };
  }
  return { toolChoice, notes: [] };
};
