import { createHash } from "node:crypto";

import type { AnyTool, JsonObject, Message, Origin, ToolCallPart, ToolSpec, WireId } from "mull";
import { isJsonObject } from "mull/wire";

/** How a tool is called in the client's wire, if that differs from a plain function. */
export interface ToolForm {
  /** The name the client knows it by, inside its namespace. */
  readonly name: string;
  readonly namespace?: string;
  /** It takes a plain text: what a foreign model sends as `{"input": "…"}`. */
  readonly isText?: true;
}

/** The tools of a client as any model takes them. */
export interface ClientTools {
  readonly tools: readonly AnyTool[];
  /** By the name that the model sees. */
  readonly forms: ReadonlyMap<string, ToolForm>;
}

const textInput: JsonObject = {
  type: "object",
  properties: { input: { type: "string", description: "The whole input, as plain text." } },
  required: ["input"],
  additionalProperties: false,
};

const asText = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;
const asObjects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/**
 * Turns tools that only OpenAI knows into functions: free-text tools, namespaces, tools in the
 * middle of the conversation, and functions with missing fields. Renames tools whose name some
 * vendor refuses. A vendor's own tool stays as it is.
 */
export function readClientTools(
  given: readonly AnyTool[],
  messages: readonly Message[],
  wire: WireId,
): ClientTools {
  const forms = new Map<string, ToolForm>();
  const read = (tool: AnyTool, namespace?: string): readonly AnyTool[] => {
    if (!("vendor" in tool)) {
      const seen = seenName(tool.name, undefined);
      if (seen === tool.name) return [tool];
      forms.set(seen, { name: tool.name });
      return [{ ...tool, name: seen }];
    }
    const { fields } = tool.vendor;
    const inner = isJsonObject(fields["function"]) ? fields["function"] : fields["custom"];
    const spec = isJsonObject(inner) ? inner : fields;
    const name = asText(spec["name"]) ?? "";
    if (fields["type"] === "namespace")
      return asObjects(fields["tools"]).flatMap((each) =>
        read({ vendor: { wire, fields: each } }, name),
      );
    const isText = fields["type"] === "custom";
    if (name === "" || (!isText && fields["type"] !== "function")) return [tool];
    const seen = seenName(name, namespace);
    if (isText || seen !== name)
      forms.set(seen, {
        name,
        ...(namespace !== undefined && { namespace }),
        ...(isText && { isText }),
      });
    return [isText ? textTool(seen, spec) : functionTool(seen, spec)];
  };
  const all = [...given, ...toolsInside(messages, wire)].flatMap((tool) => read(tool));
  // Every service refuses a name that is there twice; the later tool of the conversation counts.
  const byName = new Map(all.map((tool) => ["vendor" in tool ? tool : tool.name, tool]));
  return { tools: [...byName.values()], forms };
}

/** Codex hands some models their tools as an item of the conversation. */
const toolsInside = (messages: readonly Message[], wire: WireId): readonly AnyTool[] =>
  messages.flatMap(({ role, parts }) =>
    role !== "user"
      ? []
      : parts.flatMap((part) =>
          part.type === "opaque" && part.kind === "additional_tools"
            ? asObjects(part.data["tools"]).map((fields) => ({ vendor: { wire, fields } }))
            : [],
        ),
  );

function functionTool(name: string, { description, parameters }: JsonObject): ToolSpec {
  return {
    name,
    ...(typeof description === "string" && { description }),
    inputSchema: isJsonObject(parameters) ? parameters : { type: "object", properties: {} },
  };
}

/** A grammar that the service cannot enforce goes into the description. */
function textTool(name: string, { description, format }: JsonObject): ToolSpec {
  const { definition, syntax } = isJsonObject(format) ? format : {};
  const grammar =
    typeof definition === "string"
      ? `The input must follow this ${asText(syntax) ?? ""} grammar:\n${definition}`
      : "";
  const words = [asText(description) ?? "", grammar].filter((text) => text !== "");
  return {
    name,
    ...(words.length > 0 && { description: words.join("\n\n") }),
    inputSchema: textInput,
  };
}

/** What every vendor takes: OpenAI no more than 64 characters, Google no digit in front, only Google dots. */
const usualName = /^[A-Za-z_][\w-]{0,63}$/;

/**
 * The name under which a tool of the client is known to the model. Claude takes
 * `mcp__a_server_with_a_long_name__a_tool_with_a_long_name_as_well` and twice as much. The same name
 * becomes the same one in every request: caches depend on it.
 */
export function seenName(name: string, namespace: unknown): string {
  const whole = typeof namespace === "string" && namespace !== "" ? `${namespace}__${name}` : name;
  if (whole === "" || usualName.test(whole)) return whole;
  const mark = createHash("sha256").update(whole).digest("hex").slice(0, 8);
  return `${whole
    .replace(/^(?![A-Za-z_])/, "_")
    .replaceAll(/[^\w-]/g, "_")
    .slice(0, 55)}_${mark}`;
}

/** A call as the client knows its tool. OpenAI names the namespace of a call beside its name. */
export function asCalled(part: ToolCallPart, form: ToolForm, origin: Origin): ToolCallPart {
  const { name, namespace, isText } = form;
  const seal = namespace === undefined ? {} : { seal: { origin, data: { namespace } } };
  if (isText !== true) return { ...part, name, ...seal };
  const { inputText: _, ...rest } = part;
  const input = isJsonObject(part.input) ? part.input["input"] : part.input;
  const text = typeof input === "string" ? input : JSON.stringify(part.input);
  return { ...rest, name, input: text, ...seal };
}
