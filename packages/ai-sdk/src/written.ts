import type {
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV4File,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamResult,
  SharedV3Warning,
  SharedV4FileDataData,
} from "@ai-sdk/provider";

/** What both versions have in common of what we write; files alone are told apart. */
interface WrittenFile extends LanguageModelV4File {
  readonly data: SharedV4FileDataData;
}

export type Warning = SharedV3Warning;
export type WrittenFinish = LanguageModelV3FinishReason;
export type WrittenContent =
  | Extract<LanguageModelV3Content, { type: "text" | "reasoning" | "tool-call" | "source" }>
  | WrittenFile;
export type WrittenStreamPart =
  | Exclude<LanguageModelV3StreamPart, { type: "file" | "tool-result" | "tool-approval-request" }>
  | WrittenFile
  | { readonly type: "ping" };

export interface WrittenResult extends Omit<
  LanguageModelV4GenerateResult,
  "content" | "finishReason" | "warnings"
> {
  content: WrittenContent[];
  finishReason: WrittenFinish;
  warnings: Warning[];
}

export interface WrittenStream extends Omit<LanguageModelV4StreamResult, "stream"> {
  stream: ReadableStream<WrittenStreamPart>;
}
