import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import type {
  AssistantPart,
  FilePart,
  JsonValue,
  Message,
  Provider,
  TextPart,
  ToolResultPart,
  UserPart,
} from "mull";
import { carried, keptPart, type AboutMessage } from "./metadata.ts";
import { readFile } from "./read-file.ts";

type AskedProvider = Pick<Provider, "id" | "name">;
type ContentOf<Role> = Extract<LanguageModelV4Message, { role: Role }>["content"];

/** The messages of a prompt, and the instructions at its head. */
export function readPrompt(
  prompt: LanguageModelV4Prompt,
  provider: AskedProvider,
): { readonly system?: string; readonly messages: readonly Message[] } {
  const talk = prompt.findIndex(({ role }) => role !== "system");
  const head = talk < 0 ? prompt : prompt.slice(0, talk);
  const system = head
    .flatMap(({ role, content }) => (role === "system" ? [content] : []))
    .join("\n\n");
  const rest = prompt.slice(head.length);
  return {
    ...(system !== "" && { system }),
    messages: rest.flatMap((message) => readMessage(message, provider)),
  };
}

function readMessage(message: LanguageModelV4Message, provider: AskedProvider): readonly Message[] {
  switch (message.role) {
    case "system":
      return [{ role: "system", parts: [{ type: "text", text: message.content }] }];
    case "user":
      return [{ role: "user", parts: message.content.map((part) => readGiven(part, provider)) }];
    case "assistant":
      return readAnswer(message.content, provider);
    case "tool": {
      const parts = message.content.flatMap((part) =>
        part.type === "tool-result" ? [readResult(part, provider)] : [],
      );
      return parts.length === 0 ? [] : [{ role: "tool", parts }];
    }
    default:
      return message satisfies never;
  }
}

const readGiven = (part: ContentOf<"user">[number], provider: AskedProvider): UserPart =>
  part.type === "text"
    ? { ...carried(part.providerOptions).own, type: "text", text: part.text }
    : { ...carried(part.providerOptions).own, ...readFile(part, provider) };

/** One answer; results that another provider's own tools put inside it cut it in two. */
function readAnswer(content: ContentOf<"assistant">, provider: AskedProvider): readonly Message[] {
  const messages: Message[] = [];
  let parts: AssistantPart[] = [];
  let results: ToolResultPart[] = [];
  let about: AboutMessage = {};
  const close = (): void => {
    if (parts.length > 0) messages.push({ ...about, role: "assistant", parts });
    if (results.length > 0) messages.push({ role: "tool", parts: results });
    [parts, results] = [[], []];
  };
  for (const part of content) {
    if (part.type === "tool-result") {
      results.push(readResult(part, provider));
      continue;
    }
    if (results.length > 0) close();
    about = carried(part.providerOptions).about ?? about;
    parts.push(...readPart(part, provider));
  }
  close();
  return messages;
}

type AnswerContent = Exclude<ContentOf<"assistant">[number], LanguageModelV4ToolResultPart>;

function readPart(part: AnswerContent, provider: AskedProvider): readonly AssistantPart[] {
  const { own } = carried(part.providerOptions);
  switch (part.type) {
    case "text":
      return [{ ...own, type: "text", text: part.text }];
    case "reasoning": {
      const kept = part.text === "" ? keptPart(own) : undefined;
      return [kept ?? { visibility: "full", ...own, type: "thinking", text: part.text }];
    }
    case "tool-call": {
      // What was no JSON goes back as it came, in `invalid`; the AI SDK may hold it as a text.
      const input = own["invalid"] === undefined ? (part.input as JsonValue) : {};
      return [{ ...own, type: "tool-call", id: part.toolCallId, name: part.toolName, input }];
    }
    case "file":
    case "reasoning-file":
      return [{ ...own, ...readFile(part, provider) }];
    case "custom":
      // Another provider's own, with nothing in it that anybody else could read.
      return [];
    default:
      return part satisfies never;
  }
}

/** The AI SDK copies what we wrote on a call to its result; it stays with the call. */
function readResult(part: LanguageModelV4ToolResultPart, provider: AskedProvider): ToolResultPart {
  return {
    type: "tool-result",
    callId: part.toolCallId,
    name: part.toolName,
    ...readOutput(part.output, provider),
  };
}

function readOutput(
  output: LanguageModelV4ToolResultPart["output"],
  provider: AskedProvider,
): Pick<ToolResultPart, "output" | "isError"> {
  switch (output.type) {
    case "text":
      return { output: output.value };
    case "json":
      return { output: JSON.stringify(output.value) };
    case "error-text":
      return { output: output.value, isError: true };
    case "error-json":
      return { output: JSON.stringify(output.value), isError: true };
    case "execution-denied": {
      const why = output.reason === undefined ? "." : `: ${output.reason}`;
      return { output: `The user did not allow this call${why}`, isError: true };
    }
    case "content":
      return { output: output.value.flatMap((item) => readItem(item, provider)) };
    default:
      return output satisfies never;
  }
}

type ResultItem = Extract<
  LanguageModelV4ToolResultPart["output"],
  { type: "content" }
>["value"][number];

function readItem(item: ResultItem, provider: AskedProvider): readonly (TextPart | FilePart)[] {
  if (item.type === "text") return [{ type: "text", text: item.text }];
  return item.type === "file" ? [readFile(item, provider)] : [];
}
