import type * as beta from "@anthropic-ai/sdk/resources/beta/messages/messages";
import type { AnthropicBeta } from "@anthropic-ai/sdk/resources/beta/beta";
import type * as anthropic from "@anthropic-ai/sdk/resources/messages/messages";
import type * as google from "@google/genai";
import type * as chat from "openai/resources/chat/completions/completions";
import type * as responses from "openai/resources/responses/responses";

/** The words a type names, without the `string & {}` that lets every other word through. */
type Named<T> = T extends string ? (string extends T ? never : T) : T;

/** As JSON has it: an enum is one of its words. */
type AsJson<T> = unknown extends T
  ? unknown
  : T extends string
    ? `${T}`
    : T extends readonly (infer Item)[]
      ? AsJson<Item>[]
      : T extends object
        ? { [K in keyof T]: AsJson<T[K]> }
        : T;

type GoogleTopFields = "safetySettings" | "toolConfig" | "cachedContent" | "serviceTier" | "store";

/** The SDK's own parameters nest everything in `config`; this is what it makes of them to send. */
interface GoogleRequest extends Pick<google.GenerateContentConfig, GoogleTopFields> {
  contents: google.Content[];
  systemInstruction?: google.Content;
  tools?: google.Tool[];
  generationConfig?: google.GenerationConfig;
}

type GoogleReplyFields =
  | "candidates"
  | "createTime"
  | "modelVersion"
  | "promptFeedback"
  | "responseId"
  | "usageMetadata"
  | "modelStatus";

type WithoutOutputText<T> = T extends { response: responses.Response }
  ? Omit<T, "response"> & { response: Omit<responses.Response, "output_text"> }
  : T;

/** What the vendors' own clients say a body looks like. Keys are the names a judgement goes by. */
export interface VendorTypes {
  "anthropic-request": anthropic.MessageCreateParamsBase;
  /** `betas` is what the header says. */
  "anthropic-beta-request": Omit<beta.MessageCreateParamsBase, "betas"> & {
    betas: Named<AnthropicBeta>[];
  };
  "responses-request": responses.ResponseCreateParamsBase;
  "chat-request": chat.ChatCompletionCreateParamsBase;
  "google-request": AsJson<GoogleRequest>;
  "anthropic-reply": anthropic.Message;
  "anthropic-event": anthropic.RawMessageStreamEvent;
  "anthropic-beta-reply": beta.BetaMessage;
  "anthropic-beta-event": beta.BetaRawMessageStreamEvent;
  /** The client joins `output_text` itself. */
  "responses-reply": Omit<responses.Response, "output_text">;
  "responses-event": WithoutOutputText<responses.ResponseStreamEvent>;
  "chat-reply": chat.ChatCompletion;
  "chat-event": chat.ChatCompletionChunk;
  /** Streamed or whole, Google writes the same object. */
  "google-reply": AsJson<Pick<google.GenerateContentResponse, GoogleReplyFields>>;
}

export type VendorType = keyof VendorTypes;
