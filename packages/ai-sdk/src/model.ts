import type { LanguageModelV4CallOptions, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import {
  estimateTokens,
  streamChat,
  type ChatOptions,
  type ChatResult,
  type ChatStream,
  type ModelChoice,
  type StreamEvent,
  type WireId,
} from "mull";
import { effortOf, resolveChoice } from "mull/wire";
import { toAISDKError } from "./error.ts";
import { carry, type AboutMessage } from "./metadata.ts";
import { readRaw, type RawReader } from "./raw-chunks.ts";
import { ownOptions } from "./read-dial.ts";
import { readOptions } from "./read-options.ts";
import type { MullSettings } from "./settings.ts";
import { sourcesOf } from "./sources.ts";
import { writeFinish, writeUsage } from "./usage.ts";
import { createPartWriter, writePart } from "./write-parts.ts";
import type { Warning, WrittenResult, WrittenStream, WrittenStreamPart } from "./written.ts";

/** The addresses a service fetches itself; the AI SDK loads the others. */
const supportedUrls: Readonly<Record<WireId, Record<string, RegExp[]>>> = {
  "anthropic-messages": { "image/*": [/^https?:/], "application/pdf": [/^https?:/] },
  "openai-responses": { "image/*": [/^https?:/], "application/pdf": [/^https?:/] },
  "openai-chat": {},
  "google-generate": { "*": [/^https:\/\/generativelanguage\.googleapis\.com\//] },
};

/** A model as both versions of the AI SDK know it, but for how they write files. */
export interface WrittenModel {
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: Record<string, RegExp[]>;
  readonly doGenerate: (options: LanguageModelV4CallOptions) => Promise<WrittenResult>;
  readonly doStream: (options: LanguageModelV4CallOptions) => Promise<WrittenStream>;
}

/** A model of ours for the AI SDK. */
export function createModel(choice: ModelChoice, settings: MullSettings): WrittenModel {
  const { provider, model } = resolveChoice(choice);
  const open = async (options: LanguageModelV4CallOptions): Promise<Call> =>
    openCall(choice, options, settings);
  return {
    provider: `mull.${provider.id}`,
    modelId: typeof choice === "string" ? choice : model.id,
    supportedUrls: supportedUrls[provider.wire.id],
    doGenerate: async (options) => generate(await open(options)),
    doStream: async (options) => stream(await open(options)),
  };
}

/** A request whose answer has begun. */
interface Call {
  readonly events: ChatStream;
  readonly first: IteratorResult<StreamEvent>;
  readonly warnings: readonly Warning[];
  readonly raw: RawReader | undefined;
  readonly fail: (error: unknown) => unknown;
}

/** Sends the request and waits for the answer to begin, so that the AI SDK can try a refusal again. */
async function openCall(
  choice: ModelChoice,
  options: LanguageModelV4CallOptions,
  settings: MullSettings,
): Promise<Call> {
  const { provider } = resolveChoice(choice);
  const { request, warnings } = readOptions(options, provider);
  const raw =
    options.includeRawChunks === true ? readRaw(settings.fetch ?? globalThis.fetch) : undefined;
  const sending: ChatOptions = {
    ...settings,
    ...(raw !== undefined && { fetch: raw.fetch }),
    headers: { ...plainHeaders(settings.headers), ...plainHeaders(options.headers) },
    heal: ownOptions(options).heal ?? settings.heal,
    signal: options.abortSignal,
    contextTokens: estimateTokens(request.messages),
    // The AI SDK tries again itself, as often as its caller allows.
    maxAttempts: 1,
  };
  let events: ChatStream | undefined;
  const fail = (error: unknown): unknown =>
    toAISDKError(error, events?.sent(), options.abortSignal);
  try {
    events = streamChat(choice, request, sending);
    const first = await events.next();
    const notes = events.receipt()?.notes ?? [];
    const said = notes.flatMap(({ severity, message }): Warning[] =>
      severity === "warning" ? [{ type: "other", message }] : [],
    );
    return { events, first, warnings: [...warnings, ...said], raw, fail };
  } catch (error) {
    throw fail(error);
  }
}

function plainHeaders(
  headers: ChatOptions["headers"] | LanguageModelV4CallOptions["headers"],
): Record<string, string> {
  if (headers === undefined) return {};
  const pairs = Symbol.iterator in headers ? headers : Object.entries(headers);
  const given: Record<string, string> = {};
  for (const [name, value] of pairs) if (value !== undefined) given[name] = value;
  return given;
}

const aboutOf = (events: ChatStream): AboutMessage => {
  const { origin, interrupted } = events.partial()?.message ?? {};
  const receipt = events.receipt();
  const effort = receipt && effortOf(receipt);
  return {
    ...(origin !== undefined && { origin }),
    ...(effort !== undefined && { effort }),
    ...(interrupted !== undefined && { interrupted }),
  };
};

/** What the AI SDK shows of the request and its answer beside the answer. */
function aroundOf(events: ChatStream): Pick<WrittenStream, "request" | "response"> {
  const { url, body, answerHeaders } = events.sent() ?? {};
  return {
    request: { ...(url !== undefined && { url }), body },
    ...(answerHeaders !== undefined && { response: { headers: answerHeaders } }),
  };
}

/** Receipt and cost, and what else the service said. */
const metadataOf = ({ receipt, cost, metadata }: Partial<ChatResult>): SharedV4ProviderMetadata =>
  carry({ receipt, cost, metadata });

async function generate(call: Call): Promise<WrittenResult> {
  const { events, fail, warnings } = call;
  let result: ChatResult;
  try {
    result = await events.result();
  } catch (error) {
    throw fail(error);
  }
  const { request, response } = aroundOf(events);
  const about = aboutOf(events);
  let isTold = false;
  const content = result.message.parts.flatMap((part) => {
    const written = writePart(part, isTold ? undefined : about) ?? [];
    isTold = true;
    return written;
  });
  return {
    content: [...content, ...sourcesOf(result)],
    finishReason: writeFinish(result.finish),
    usage: writeUsage(result.usage),
    providerMetadata: metadataOf(result),
    ...(request !== undefined && { request }),
    response: {
      ...response,
      timestamp: new Date(),
      ...(result.id !== undefined && { id: result.id }),
      ...(result.servedModel !== undefined && { modelId: result.servedModel }),
    },
    warnings: [...warnings],
  };
}

function stream(call: Call): WrittenStream {
  const { events } = call;
  const parts = writeStream(call);
  const body = new ReadableStream<WrittenStreamPart>({
    pull: async (controller) => {
      try {
        const step = await parts.next();
        if (step.done) controller.close();
        else for (const part of step.value) controller.enqueue(part);
      } catch (error) {
        controller.error(error);
      }
    },
    cancel: async () => {
      await events.return?.();
    },
  });
  return { stream: body, ...aroundOf(events) };
}

type Parts = readonly WrittenStreamPart[];

async function* writeStream(call: Call): AsyncGenerator<Parts, undefined> {
  const { events, warnings, raw, fail } = call;
  const writer = createPartWriter(() => aboutOf(events));
  yield [{ type: "stream-start", warnings: [...warnings] }];
  try {
    for (let step = call.first; step.done !== true; step = await events.next()) {
      const parts = [...rawParts(raw), ...writeEvent(step.value), ...writer.write(step.value)];
      if (parts.length > 0) yield parts;
    }
    yield writeEnd(await events.result());
  } catch (error) {
    const failure = fail(error);
    // The AI SDK tells a stopped call from a broken one by what is thrown.
    if (failure instanceof Error && /^(?:Abort|Timeout)Error$/.test(failure.name)) throw failure;
    yield [
      ...writer.close(events.partial()?.message.parts ?? []),
      { type: "error", error: failure },
    ];
    yield [writeBrokenEnd(events)];
  }
}

const rawParts = (raw: RawReader | undefined): Parts =>
  (raw?.take() ?? []).map((rawValue) => ({ type: "raw", rawValue }));

function writeEvent(event: StreamEvent): Parts {
  if (event.type === "heartbeat") return [{ type: "ping" }];
  if (event.type !== "start") return [];
  const { id, model } = event;
  return [
    {
      type: "response-metadata",
      timestamp: new Date(),
      ...(id !== undefined && { id }),
      ...(model !== undefined && { modelId: model }),
    },
  ];
}

const writeEnd = (result: ChatResult): Parts => [
  ...sourcesOf(result),
  {
    type: "finish",
    finishReason: writeFinish(result.finish),
    usage: writeUsage(result.usage),
    providerMetadata: metadataOf(result),
  },
];

/** The receipt of a broken answer says what it has cost at least. */
function writeBrokenEnd(events: ChatStream): WrittenStreamPart {
  const receipt = events.receipt();
  return {
    type: "finish",
    finishReason: { unified: "error", raw: undefined },
    usage: writeUsage(receipt?.usage ?? {}),
    providerMetadata: carry({ receipt, cost: receipt?.cost }),
  };
}
