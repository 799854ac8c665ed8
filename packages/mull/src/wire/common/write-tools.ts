import type { JsonObject } from "../../types/json.ts";
import type { WireId } from "../../types/message.ts";
import { warning, type Note } from "../../types/plan.ts";
import { isToolSpec, type AnyTool, type ToolSpec } from "../../types/tool.ts";

/** Tools as a wire writes them. A vendor's own go only to the wire that runs them. */
export const writeTools = (
  tools: readonly AnyTool[] | undefined,
  wire: WireId,
  notes: Note[],
  write: (tool: ToolSpec) => JsonObject,
): JsonObject[] =>
  (tools ?? []).flatMap((tool) => {
    if (isToolSpec(tool)) {
      const { extra } = tool;
      return [{ ...write(tool), ...(extra?.wire === wire && extra.fields) }];
    }
    const { vendor } = tool;
    if (vendor.wire === wire) return [vendor.fields];
    const { type } = vendor.fields;
    const name = typeof type === "string" ? type : Object.keys(vendor.fields).join(" ");
    notes.push(warning("tool-dropped", `${name} was left out: only ${vendor.wire} runs it`));
    return [];
  });
