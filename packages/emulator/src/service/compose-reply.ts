import type { Finish, JsonObject, Reply, Usage } from "mull";

import { depthOf } from "../brain/depth.ts";
import type { Draft } from "../world/draft.ts";
import { countPrompt } from "../world/tokens.ts";
import { vendorOf, type FailingVendor } from "./failures.ts";
import { fitParts, isThinking, type FittedParts } from "./fit-parts.ts";
import { usePromptCache, type CacheUse } from "./prompt-cache.ts";
import type { Ending, FittedPart, ReadExchange, Service } from "./service.ts";

const endingOf = (draft: Draft, fitted: FittedParts): Ending => {
  if (fitted.isCut) return "length";
  if (draft.finish !== undefined) return draft.finish;
  return fitted.parts.some((part) => part.type === "call") ? "tool-calls" : "stop";
};

/** Anthropic names the stop sequence that was found. The others only stop. */
const stoppedAt = (
  service: Service,
  finish: Finish,
  stopSequence: string | undefined,
): { readonly finish: Finish; readonly metadata: JsonObject } =>
  stopSequence === undefined || service.wire !== "anthropic-messages"
    ? { finish, metadata: {} }
    : {
        finish: { ...finish, raw: "stop_sequence" },
        metadata: { stop_sequence: stopSequence },
      };

/** Tokens of a PDF page, as text and as a picture: measured for Claude, documented by Google, a guess for OpenAI. */
const tokensOfPage = { anthropic: 2330, openai: 1500, google: 560 } as const;

export const promptTokens = (service: Service, body: JsonObject): number => {
  const { pieces, messages } = service.prompt(body);
  return countPrompt(pieces, messages, tokensOfPage[vendorOf[service.wire]]);
};

/** A model with thinking off does not think, whatever a script says; interleaved notes aside. */
const thinkingAllowed = ({ request, model }: ReadExchange): boolean =>
  depthOf(request.thinking, model) > 0 ||
  (request.thinking.type === "off" && request.thinking.form === "between_tools");

/** Google sends no count for a cache that was not used. Anthropic says for how long one is kept. */
const cacheUsage: Readonly<Record<FailingVendor, (cached: CacheUse) => Partial<Usage>>> = {
  anthropic: ({ read, write, hourWrite }) => ({
    cacheRead: read,
    cacheWrite: write,
    ...(read + write > 0 && {
      raw: {
        cache_creation: {
          ephemeral_5m_input_tokens: write - hourWrite,
          ephemeral_1h_input_tokens: hourWrite,
        },
      },
    }),
  }),
  openai: ({ read, write }) => ({ cacheRead: read, cacheWrite: write }),
  google: () => ({}),
};

export interface ComposedReply {
  readonly reply: Reply;
  /** For each drafted part, the number of reply parts up to its end. */
  readonly ends: readonly number[];
}

const endsOf = (
  draft: Draft,
  fitted: FittedParts,
  mayThink: boolean,
  isWritten: (part: FittedPart) => boolean,
): readonly number[] => {
  let kept = 0;
  let written = 0;
  return draft.parts.map((part) => {
    const next = !mayThink && isThinking(part) ? undefined : fitted.parts[kept];
    if (next !== undefined) {
      kept += 1;
      if (isWritten(next)) written += 1;
    }
    return written;
  });
};

/** Turns a draft into the reply of the service: cut to the cap, sealed, counted. */
export const composeReply = (
  service: Service,
  exchange: ReadExchange,
  draft: Draft,
): ComposedReply => {
  const { request, modelId, model, body } = exchange;
  const shown = service.shows(exchange);
  const mayThink = thinkingAllowed(exchange);
  const drafted = mayThink ? draft.parts : draft.parts.filter((part) => !isThinking(part));
  const fitted = fitParts(drafted, request.maxOutputTokens, request.stopSequences ?? []);
  const id = service.newReplyId(exchange.world);
  const fittedParts = fitted.parts.map((part) => ({ ...part, shown }));
  const parts = service.seal(fittedParts, exchange, id);
  const input = promptTokens(service, body);
  const cached = usePromptCache(exchange, input, tokensOfPage[vendorOf[service.wire]]);
  const { thinkingTokens, outputTokens } = fitted;
  const stopped = stoppedAt(service, service.finish(endingOf(draft, fitted)), fitted.stopSequence);
  const metadata = { ...service.metadata?.(exchange), ...stopped.metadata };
  const reply: Reply = {
    id,
    servedModel: servedName(modelId, model.status === "rerouted" ? model.successor : undefined),
    message: {
      role: "assistant",
      parts,
      origin: { wire: service.wire, provider: model.provider, model: modelId },
    },
    finish: stopped.finish,
    usage: {
      input: input - cached.read - cached.write,
      ...cacheUsage[vendorOf[service.wire]](cached),
      output: outputTokens,
      ...(model.thinking.kind !== "none" && {
        thinking: thinkingTokens,
        thinkingSource: "reported" as const,
      }),
      total: input + outputTokens + thinkingTokens,
    },
    ...(service.echo !== undefined && { echo: service.echo(exchange) }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
  const ends = endsOf(draft, { ...fitted, parts: fittedParts }, mayThink, (part) =>
    service.writes(part, exchange),
  );
  return { reply, ends };
};

/** Answers name the model without its path; some ids are served by their successor. */
const servedName = (asked: string, successor: string | undefined): string =>
  successor ?? asked.slice(asked.lastIndexOf("/") + 1);
