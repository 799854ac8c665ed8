import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4ProviderTool,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { AnyTool, ChatRequest, JsonObject, Provider, ToolChoice, WireId } from "mull";
import { isJsonObject } from "mull/wire";
import { readDial } from "./read-dial.ts";
import { readPrompt } from "./read-prompt.ts";
import type { Warning } from "./written.ts";

/** A call of the AI SDK as a request of ours, and what of it no model takes. */
export function readOptions(
  options: LanguageModelV4CallOptions,
  provider: Provider,
): { readonly request: ChatRequest; readonly warnings: Warning[] } {
  const warnings: Warning[] = [];
  const warn = (feature: string, details?: string): void =>
    void warnings.push({ type: "unsupported", feature, ...(details !== undefined && { details }) });
  for (const feature of ["presencePenalty", "frequencyPenalty", "seed"] as const) {
    if (options[feature] !== undefined)
      warn(feature, `Pass it under providerOptions.mull.extra, in the words of ${provider.name}.`);
  }
  const { maxOutputTokens, temperature, topP, topK, stopSequences } = options;
  const tools = options.tools?.map(readTool);
  const request: ChatRequest = {
    ...readPrompt(options.prompt, provider),
    maxOutputTokens,
    temperature,
    topP,
    topK,
    stopSequences,
    ...(tools !== undefined && tools.length > 0 && { tools, toolChoice: readChoice(options) }),
    ...readFormat(options, warn),
    ...(hasBreakpoints(options) && { cache: { breakpoints: true } }),
    ...readDial(options, provider, warn),
  };
  return { request, warnings };
}

export type Warn = (feature: string, details?: string) => void;

function readChoice({ toolChoice }: LanguageModelV4CallOptions): ToolChoice | undefined {
  return toolChoice?.type === "tool" ? { tool: toolChoice.toolName } : toolChoice?.type;
}

function readFormat(
  { responseFormat: format }: LanguageModelV4CallOptions,
  warn: Warn,
): Pick<ChatRequest, "output"> {
  if (format?.type !== "json") return {};
  if (format.schema === undefined) {
    warn("responseFormat", "JSON output needs a schema. Ask for JSON in the prompt, or pass one.");
    return {};
  }
  // The AI SDK checks the answer itself, and has its own ways to repair it.
  return { output: { name: format.name, schema: format.schema as JsonObject, check: false } };
}

function readTool(tool: LanguageModelV4FunctionTool | LanguageModelV4ProviderTool): AnyTool {
  if (tool.type === "provider") return readVendorTool(tool);
  const { name, description, inputSchema, strict, inputExamples } = tool;
  const examples = inputExamples?.map(({ input }) => JSON.stringify(input)).join("\n");
  const words = [description, examples && `Examples of its input:\n${examples}`];
  return {
    name,
    ...(words.some(Boolean) && { description: words.filter(Boolean).join("\n\n") }),
    inputSchema: inputSchema as JsonObject,
    ...(strict !== undefined && { strict }),
  };
}

/** Whose tools the AI SDK's ids name, and how they are written there. */
const vendorTools: Readonly<
  Record<
    string,
    { readonly wire: WireId; readonly write: (type: string, tool: ProviderToolParts) => JsonObject }
  >
> = {
  anthropic: {
    wire: "anthropic-messages",
    write: (type, { name, args }) => ({ type, name, ...snakeCased(args) }),
  },
  openai: { wire: "openai-responses", write: (type, { args }) => ({ type, ...snakeCased(args) }) },
  google: {
    wire: "google-generate",
    write: (type, { args }) => ({
      [type.replace(/_(\w)/g, (_, c: string) => c.toUpperCase())]: args,
    }),
  },
};

interface ProviderToolParts {
  readonly name: string;
  readonly args: JsonObject;
}

function readVendorTool({ id, name, args }: LanguageModelV4ProviderTool): AnyTool {
  const dot = id.indexOf(".");
  const vendor = vendorTools[id.slice(0, dot)];
  // One that nobody has a name for is left to the wire of the model, which says that it is not sent.
  const { wire, write } = vendor ?? { wire: "openai-chat", write: (type) => ({ type }) };
  return { vendor: { wire, fields: write(id.slice(dot + 1), { name, args: args as JsonObject }) } };
}

const snakeCased = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      isJsonObject(inner) ? snakeCased(inner) : inner,
    ]),
  );

/** Anthropic's cache control on a message or on one of its parts. */
const hasBreakpoints = ({ prompt }: LanguageModelV4CallOptions): boolean =>
  prompt.some(
    ({ content, providerOptions }) =>
      isMarked(providerOptions) ||
      (typeof content !== "string" && content.some((part) => isMarked(part.providerOptions))),
  );

const isMarked = (options: SharedV4ProviderOptions | undefined): boolean =>
  options?.["anthropic"]?.["cacheControl"] !== undefined;
