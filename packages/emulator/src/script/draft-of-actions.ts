import type { Disturbance, Draft, DraftPart } from "../world/draft.ts";
import type { Action } from "./actions.ts";

const partOf = (action: Action): DraftPart | undefined => {
  if ("thinks" in action) return { type: "thinking", text: action.thinks };
  if ("omits" in action) return { type: "omitted", text: action.omits };
  if ("redacts" in action) return { type: "redacted" };
  if ("says" in action) return { type: "text", text: action.says };
  if ("refuses" in action) return { type: "text", text: action.refuses, refusal: true };
  if ("calls" in action) {
    return {
      type: "call",
      name: action.calls,
      input: action.input,
      ...(action.raw !== undefined && { raw: action.raw }),
      ...(action.id !== undefined && { id: action.id }),
    };
  }
  return undefined;
};

const disturbanceOf = (action: Action, part: number): Disturbance | undefined => {
  if ("stalls" in action) {
    return { type: "stall", ms: action.stalls, part, where: action.where ?? "inside" };
  }
  if ("cuts" in action) return { type: "cut", part, where: action.cuts };
  if ("fails" in action) return { type: "failure", failure: action.fails, part, where: "after" };
  return undefined;
};

/** The answer of a scripted turn. A failure before the first part replaces the answer. */
export const draftOfActions = (actions: readonly Action[]): Draft => {
  const parts: DraftPart[] = [];
  const disturbances: Disturbance[] = [];
  for (const action of actions) {
    if ("fails" in action && parts.length === 0) {
      return { parts: [], disturbances, failure: action.fails };
    }
    const part = partOf(action);
    if (part !== undefined) parts.push(part);
    const disturbance = disturbanceOf(action, parts.length - 1);
    if (disturbance !== undefined) disturbances.push(disturbance);
  }
  const refused = actions.some((action) => "refuses" in action);
  return { parts, disturbances, ...(refused && { finish: "refusal" as const }) };
};
