import {
  MullError,
  type AssistantPart,
  type JsonObject,
  type JsonValue,
  type Message,
  type Seal,
  type ThinkingPart,
  type ToolResultPart,
  type UserPart,
} from "mull";
import { isJsonObject } from "mull/wire";
import { readForeignSeal, type ForeignOrigin } from "./foreign-seals.ts";
import {
  isDataPart,
  isToolPart,
  keptMessage,
  keptPart,
  fallbackPart,
  stepPart,
  toolNameOf,
  type ProviderMetadata,
  type UIFilePart,
  type UIMessage,
  type UIPart,
  type UIReasoningPart,
  type UIToolPart,
} from "./ui-message.ts";

/** Settings of `fromUIMessages`. */
export interface FromUIOptions {
  /** The model that wrote messages mull did not write; needed to send their seals back. */
  readonly origin?: ForeignOrigin;
}

/** Reads UI messages into a history: those that `toUIMessages` wrote, and those of other AI SDK programs. */
export function fromUIMessages(
  messages: readonly UIMessage[],
  options: FromUIOptions = {},
): readonly Message[] {
  if (!Array.isArray(messages)) throw refused("messages", "is not a list of UI messages");
  return messages.flatMap((message: UIMessage, index): readonly Message[] => {
    checkUIMessage(message, `messages[${index}]`);
    if (message.role === "assistant") return readTurn(message.parts, options);
    const parts = message.parts.flatMap((part) => readGiven(part));
    if (message.role === "user") return [{ role: "user", parts }];
    return [{ role: "system", parts: parts.filter((part) => part.type !== "file") }];
  });
}

/** Do not trust the client: an unknown role must not become `system`. */
function checkUIMessage(message: UIMessage, place: string): void {
  if (!Array.isArray(message?.parts)) {
    // Version 4 of the AI SDK stored `content` and `toolInvocations`.
    const what = "has no parts: it is not a UI message of AI SDK 5 or later.";
    const fix = "Convert it with the AI SDK's own migration, or write the parts by hand.";
    throw refused(`${place}.parts`, what, place, fix);
  }
  if (!["system", "user", "assistant"].includes(message.role)) {
    throw refused(`${place}.role`, "is not system, user or assistant");
  }
  message.parts.forEach((part: UIPart | undefined, index: number) => {
    if (typeof part?.type !== "string")
      throw refused(`${place}.parts[${index}]`, "is not a part with a type");
  });
}

const refused = (field: string, what: string, place = field, fix?: string): MullError =>
  new MullError(`${place} ${what}`, {
    category: "invalid_argument",
    code: "INVALID_ARG",
    field,
    ...(fix !== undefined && { fix }),
  });

function readGiven(part: UIPart): readonly UserPart[] {
  if (part.type === "text")
    return [{ ...carried(part.providerMetadata), type: "text", text: part.text }];
  if (part.type === "file") return [readFile(part)];
  return part.type === keptPart && isDataPart(part) ? [part.data as UserPart] : [];
}

function readFile(part: UIFilePart): Extract<UserPart, { type: "file" }> {
  const name = part.filename === undefined ? {} : { name: part.filename };
  const own = carried(part.providerMetadata);
  if (own["source"] !== undefined)
    return { ...own, type: "file", mediaType: part.mediaType, ...name } as Extract<
      UserPart,
      { type: "file" }
    >;
  const data = /^data:[^,]*;base64,(.*)$/s.exec(part.url)?.[1];
  return {
    type: "file",
    mediaType: part.mediaType,
    source: data === undefined ? { type: "url", url: part.url } : { type: "base64", data },
    ...name,
  };
}

interface Step {
  about: JsonObject;
  readonly parts: AssistantPart[];
  readonly results: ToolResultPart[];
  calls: number;
}

const newStep = (): Step => ({ about: {}, parts: [], results: [], calls: 0 });

/** A turn is cut into its answers at the `step-start` parts. */
function readTurn(parts: readonly UIPart[], options: FromUIOptions): readonly Message[] {
  const out: Message[] = [];
  let step = newStep();
  const close = (): void => {
    out.push(...closeStep(step));
    step = newStep();
  };
  for (const part of parts) {
    if (part.type === "step-start") close();
    // The words of a model that another one replaced are not part of the conversation.
    else if (part.type === fallbackPart) step = newStep();
    else if (part.type === keptMessage && isDataPart(part)) {
      close();
      out.push(part.data as Message);
    } else readInto(step, part, options);
  }
  close();
  return out;
}

function closeStep(step: Step): readonly Message[] {
  if (step.parts.length === 0 && Object.keys(step.about).length === 0) return [];
  const { answered: _, ...about } = step.about;
  const answer = { ...about, role: "assistant", parts: step.parts } as Message;
  return step.results.length === 0 ? [answer] : [answer, { role: "tool", parts: step.results }];
}

function readInto(step: Step, part: UIPart, options: FromUIOptions): void {
  if (part.type === "text") {
    step.parts.push({
      ...carriedOrForeign(part.providerMetadata, options),
      type: "text",
      text: part.text,
    });
  } else if (part.type === "reasoning") readReasoning(step, part, options);
  else if (part.type === "file") step.parts.push(readFile(part));
  else if (isToolPart(part)) readTool(step, part, options);
  else if (isDataPart(part)) {
    if (part.type === stepPart && isJsonObject(part.data)) step.about = part.data;
    else if (part.type === keptPart) step.parts.push(part.data as AssistantPart);
  }
}

function readReasoning(step: Step, part: UIReasoningPart, options: FromUIOptions): void {
  const own = carried(part.providerMetadata);
  const seal =
    own["seal"] === undefined ? readForeignSeal(part.providerMetadata, options.origin) : undefined;
  const before = step.parts.at(-1);
  if (before?.type === "thinking" && isSameItem(before.seal, seal)) {
    step.parts[step.parts.length - 1] = joinThoughts(before, part.text, seal);
    return;
  }
  step.parts.push({
    visibility: "summary",
    ...own,
    ...(seal !== undefined && { seal }),
    ...(seal?.data["redacted"] !== undefined && { visibility: "redacted" as const }),
    type: "thinking",
    text: part.text,
  });
}

/** The AI SDK makes a part of each paragraph of a summary, all with the id of OpenAI's one item. */
const isSameItem = (before: Seal | undefined, seal: Seal | undefined): seal is Seal =>
  seal?.data["id"] !== undefined && before?.data["id"] === seal.data["id"];

const joinThoughts = (before: ThinkingPart, text: string, seal: Seal): ThinkingPart => ({
  ...before,
  text: [before.text, text].filter((paragraph) => paragraph !== "").join("\n\n"),
  seal: { ...seal, data: { ...before.seal?.data, ...seal.data } },
});

/** Calls the client has not finished reading are not calls yet. */
function readTool(step: Step, part: UIToolPart, options: FromUIOptions): void {
  if (part.state === "input-streaming") return;
  const name = toolNameOf(part);
  step.parts.push({
    ...carriedOrForeign(part.callProviderMetadata, options),
    type: "tool-call",
    id: part.toolCallId,
    name,
    input: (part.input ?? {}) as JsonValue,
  });
  const result = {
    name,
    ...carried(part.resultProviderMetadata),
    type: "tool-result" as const,
    callId: part.toolCallId,
  };
  if (part.state === "output-error") {
    step.results.push({ ...result, output: part.errorText ?? "The tool failed.", isError: true });
  } else if (part.state === "output-denied") {
    const reason = part.approval?.reason ?? "";
    const output = `Refused, the call was not run: ${reason || "no reason was given"}`;
    step.results.push({ output, refused: reason, ...result, isError: true });
  } else if (part.state === "output-available")
    step.results.push({ ...result, output: readOutput(part.output) });
}

const readOutput = (output: unknown): ToolResultPart["output"] =>
  typeof output === "string" || isPartList(output)
    ? output
    : (JSON.stringify(output) ?? "(no result)");

const isPartList = (value: unknown): value is Exclude<ToolResultPart["output"], string> =>
  Array.isArray(value) &&
  value.every((part) => isJsonObject(part) && (part["type"] === "text" || part["type"] === "file"));

const carried = (metadata: ProviderMetadata | undefined): JsonObject => metadata?.["mull"] ?? {};

function carriedOrForeign(metadata: ProviderMetadata | undefined, options: FromUIOptions): object {
  if (metadata?.["mull"] !== undefined) return metadata["mull"];
  const seal = readForeignSeal(metadata, options.origin);
  return seal === undefined ? {} : { seal };
}
