import { estimateRequest } from "../history/estimate.ts";
import { readBriefly } from "../transport/answer.ts";
import { schedule } from "../transport/deadline.ts";
import { send } from "../transport/send.ts";
import { isMullError, MullError } from "../types/error.ts";
import type { ChatRequest } from "../types/request.ts";
import type { TokenCounter } from "../types/wire.ts";
import { joinHeaders, secretsIn } from "../wire/common/headers.ts";
import { asObject, tryParse } from "../wire/common/json-reading.ts";
import { writeBody } from "../wire/common/write-body.ts";
import { counters } from "../wire/counters.ts";
import { hooks, resolveChoice, type ModelChoice } from "./ask.ts";
import { contextOf } from "./chat.ts";
import { compose, type ChatTarget, type Composed } from "./compose.ts";
import { connect, placeOf, urlOf, type Connection } from "./connection.ts";
import { type ChatOptions, checkFields, checkOptions } from "./request-options.ts";
import { readRefusal } from "./read-refusal.ts";

/** How many tokens a request takes as input, and who counted them. */
export interface TokenCount {
  readonly tokens: number;
  /** `service`: its own endpoint counted. `estimate`: four characters are taken for a token. */
  readonly source: "service" | "estimate";
  /** Why it is an estimate. */
  readonly reason?: string;
}

/**
 * Counts the input of a request before it is sent, exactly as it would be sent. Anthropic, OpenAI
 * (Responses) and Google count it themselves; elsewhere it is estimated.
 */
export async function countTokens(
  model: ModelChoice,
  request: ChatRequest,
  options: ChatOptions = {},
): Promise<TokenCount> {
  const target = resolveChoice(model);
  checkFields(request);
  checkOptions(options);
  const { provider } = target;
  const counter = counters[provider.wire.id];
  const needsKey = options.fetch === undefined && counter !== undefined;
  const connection = connect(provider, options, needsKey);
  const composed = compose(target, request, contextOf(connection, options, hooks));
  if (counter === undefined) return estimated(composed, `${provider.name} doesn't count tokens`);
  const { body } = hooks.preflight?.(composed, target.model, options.heal) ?? composed.encoded;
  const encoded = { ...composed.encoded, body };
  try {
    const tokens = await ask(target, { ...composed, encoded }, counter, connection, options);
    return { tokens, source: "service" };
  } catch (error) {
    if (!isMullError(error) || !noEndpoint.has(error.status ?? 0)) throw error;
    const { host } = new URL(connection.baseUrl);
    return estimated(composed, `${host} doesn't count tokens (HTTP ${error.status})`);
  }
}

/** The statuses of compatible hosts that answer questions but have no endpoint for counting. */
const noEndpoint: ReadonlySet<number> = new Set([404, 405, 501]);

const estimated = ({ request }: Composed, why: string): TokenCount => ({
  tokens: estimateRequest(request),
  source: "estimate",
  reason: `${why}, so four characters count as one token`,
});

async function ask(
  { provider }: ChatTarget,
  { encoded, request }: Composed,
  counter: TokenCounter,
  connection: Connection,
  options: ChatOptions,
): Promise<number> {
  const asked = counter.encode(encoded);
  const answer = await send(
    {
      url: urlOf(connection, asked.path),
      headers: {
        "content-type": "application/json",
        ...joinHeaders(encoded.headers, connection.headers),
      },
      body: writeBody(asked.body, request.messages),
      provider: provider.id,
      secrets: [connection.key ?? "", ...secretsIn(connection.headers)],
      decodeError: (failure) => readRefusal(provider, failure),
      retryBudget: options.retryBudget ?? hooks.retryBudget?.(placeOf(connection)),
    },
    options,
  );
  const { lifeline, body: bytes, idleMs } = answer;
  const text = await lifeline.race(
    readBriefly(bytes.getReader(), idleMs, options.schedule ?? schedule),
  );
  lifeline.release();
  const tokens = counter.decode(asObject(tryParse(text)));
  if (tokens !== undefined) return tokens;
  throw new MullError(
    `${answer.peer.host} was asked to count tokens and answered without a count.`,
    {
      category: "protocol",
      code: "no_count",
      provider: provider.id,
      status: answer.status,
    },
  );
}
