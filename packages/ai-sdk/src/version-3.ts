import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolResultPart,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
  SharedV4FileData,
} from "@ai-sdk/provider";
import type { WrittenContent, WrittenStreamPart } from "./written.ts";

/** What AI SDK 6 writes otherwise than 7: how files are given, inside messages and inside tool results. */
export const fromVersion3 = (options: LanguageModelV3CallOptions): LanguageModelV4CallOptions => ({
  ...options,
  prompt: options.prompt.map(readMessage),
});

function readMessage(message: LanguageModelV3Message): LanguageModelV4Message {
  switch (message.role) {
    case "system":
      return message;
    case "user":
      return {
        ...message,
        content: message.content.map((part) => (part.type === "file" ? readFile(part) : part)),
      };
    case "assistant":
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === "file"
            ? { ...part, data: readGenerated(part.data) }
            : part.type === "tool-result"
              ? readResult(part)
              : part,
        ),
      };
    case "tool":
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === "tool-result" ? readResult(part) : part,
        ),
      };
    default:
      return message satisfies never;
  }
}

const readFile = <P extends LanguageModelV3FilePart>(
  part: P,
): Omit<P, "data"> & { readonly data: ReturnType<typeof readGenerated> } => ({
  ...part,
  data: readGenerated(part.data),
});

const readGenerated = (
  data: LanguageModelV3FilePart["data"],
): Extract<SharedV4FileData, { type: "data" | "url" }> =>
  data instanceof URL ? { type: "url", url: data } : { type: "data", data };

type Output3 = Extract<LanguageModelV3ToolResultPart["output"], { type: "content" }>;
type Output4 = Extract<LanguageModelV4ToolResultPart["output"], { type: "content" }>;

function readResult(part: LanguageModelV3ToolResultPart): LanguageModelV4ToolResultPart {
  const { output } = part;
  if (output.type !== "content") return { ...part, output };
  return { ...part, output: { type: "content", value: output.value.map(readItem) } };
}

function readItem(item: Output3["value"][number]): Output4["value"][number] {
  switch (item.type) {
    case "text":
    case "custom":
      return item;
    case "file-data":
    case "image-data":
      return { ...item, type: "file", data: { type: "data", data: item.data } };
    case "file-url":
    case "image-url": {
      const mediaType = item.type === "image-url" ? "image" : "application";
      return { type: "file", mediaType, data: { type: "url", url: new URL(item.url) } };
    }
    case "file-id":
    case "image-file-id": {
      const { fileId } = item;
      const reference = typeof fileId === "string" ? { "another service": fileId } : fileId;
      const mediaType = item.type === "image-file-id" ? "image" : "application";
      return { type: "file", mediaType, data: { type: "reference", reference } };
    }
    default:
      return item satisfies never;
  }
}

/** A written part as AI SDK 6 has it. */
export const toVersion3 = (part: WrittenContent): Content3 =>
  part.type === "file" ? { ...part, data: part.data.data } : part;

type Content3 =
  | Exclude<WrittenContent, { type: "file" }>
  | Extract<LanguageModelV3StreamPart, { type: "file" }>;

/** The same of a stream. Version 6 knows no pings. */
export const streamToVersion3 = (): TransformStream<WrittenStreamPart, LanguageModelV3StreamPart> =>
  new TransformStream({
    transform: (part, controller) => {
      if (part.type === "ping") return;
      controller.enqueue(part.type === "file" ? { ...part, data: part.data.data } : part);
    },
  });
