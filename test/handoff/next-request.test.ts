import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findModel } from "../../packages/mull/src/catalogue/find-model.ts";
import {
  answerOf,
  question,
  resultsOf,
  type Participant,
} from "../../packages/mull/src/handoff/conversation.ts";
import type { SampleStep } from "../../packages/mull/src/handoff/sample-reply.ts";
import { providers, resolveModel } from "../../packages/mull/src/providers/index.ts";
import { remember } from "../../packages/mull/src/transport/remember.ts";
import type { JsonObject } from "../../packages/mull/src/types/json.ts";
import type { Message } from "../../packages/mull/src/types/message.ts";
import type { Model } from "../../packages/mull/src/types/model.ts";
import type { ChatRequest } from "../../packages/mull/src/types/request.ts";
import { cheapRulesOf, objectionOf } from "../../packages/mull/src/chat/cheap-rules.ts";
import { createComposeNext, type ComposeNext } from "../../packages/mull/src/chat/compose-next.ts";
import {
  compose,
  type ComposeContext,
  type Composed,
} from "../../packages/mull/src/chat/compose.ts";
import { happenings, type Talk } from "./happenings.ts";
import { writeBody } from "../../packages/mull/src/chat/write-body.ts";

const refs = providers.flatMap(({ id, models }) => models.map((model) => `${id}:${model.id}`));

const participantOf = remember((ref): Participant => {
  const target = resolveModel(ref);
  const { quirks } = target.provider;
  const tag = ref.replaceAll(/\W/g, "");
  return { ref, target, model: target.model, tag, ...(quirks && { quirks }) };
});

const rowOf = remember((id) => findModel(id));
const noRow = (): undefined => undefined;

interface Turn {
  /** Who takes over, if anybody, and at which step. */
  readonly ref: string | undefined;
  readonly at: number;
  readonly happening: string | undefined;
  readonly steps: readonly SampleStep[];
}

const seldom = <T>(arbitrary: fc.Arbitrary<T>, weight: number): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const turns: fc.Arbitrary<readonly Turn[]> = fc.array(
  fc.record({
    ref: seldom(fc.constantFrom(...refs), 6),
    at: fc.nat(2),
    happening: seldom(fc.constantFrom(...Object.keys(happenings)), 1),
    steps: fc.array(fc.constantFrom<SampleStep>("call", "parallel"), { maxLength: 3 }),
  }),
  { minLength: 3, maxLength: 9 },
);

const kind: Message = { role: "system", parts: [{ type: "text", text: "You are kind." }] };
const mute: Message = { role: "system", parts: [{ type: "text", text: " " }] };

const leads: readonly (readonly Message[])[] = [
  [],
  [],
  [kind],
  [mute, kind, mute],
  [question(" ")],
  [
    { role: "user", parts: [] },
    { role: "assistant", parts: [{ type: "text", text: "Hello." }] },
  ],
];

const tools = [
  {
    name: "get_weather",
    inputSchema: { type: "object", properties: { city: { type: "string" } } },
  },
];

const requestOf = (talk: Talk): ChatRequest => ({
  messages: talk.messages.slice(),
  level: talk.level,
  ...(talk.system !== undefined && { system: talk.system }),
  ...(talk.budget !== undefined && { thinkingBudget: talk.budget }),
  ...(talk.hasTools && { tools }),
  ...(talk.isCached && { cache: { breakpoints: true, key: "k" } }),
  ...(talk.extra !== undefined && { extra: talk.extra }),
});

const errorOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

/** The request as a whole, if it can be made; held against what the next one is made of. */
function ask(talk: Talk, composeNext: ComposeNext): Composed | undefined {
  const { target } = talk.participant;
  const request = requestOf(talk);
  const context: ComposeContext = {
    endpoint: talk.endpoint ?? new URL(target.provider.baseUrl).origin,
    account: talk.account,
    modelOf: talk.knowsRows ? rowOf : noRow,
    openLoop: talk.openLoop,
    contextTokens: talk.messages.length * 100,
  };
  const expected = errorOf(() => compose(target, request, context));
  const got = errorOf(() => composeNext(target, request, context));
  if (expected instanceof Error) {
    expect(got).toEqual(expected);
    return undefined;
  }
  const { written, ...next } = got as ReturnType<ComposeNext>;
  const whole = expected as Composed;
  expect(writeBody(next.encoded.body, written)).toEqual(writeBody(whole.encoded.body));
  expect(next).toEqual(whole);
  if (written?.news !== undefined)
    expect(overlooked(target.model, whole, written.news)).toEqual([]);
  asked++;
  if (written !== undefined) reused++;
  return whole;
}

/** Rules that refuse the whole, and would not have been asked about more than the news. */
function overlooked(
  model: Model,
  { plan, encoded }: Composed,
  news: JsonObject,
): readonly string[] {
  const { wire } = plan;
  const { path, headers, body } = encoded;
  const whole = { wire, model, path, headers, body };
  return cheapRulesOf(wire)
    .filter((rule) => rule.inPieces && objectionOf(rule, whole) !== undefined)
    .filter((rule) => objectionOf(rule, { ...whole, body: news }) === undefined)
    .map(({ id }) => id);
}

let asked = 0;
let reused = 0;

/** Asks until the turn is over, or cannot be asked. */
function takeTurn(talk: Talk, turn: Turn, composeNext: ComposeNext): void {
  const { ref, at, happening, steps } = turn;
  if (happening !== undefined) happenings[happening]?.(talk);
  if (talk.isAskedAtOnce) ask(talk, composeNext);
  talk.isAskedAtOnce = false;
  talk.messages.push(question(`Question ${talk.messages.length}?`));
  for (const [number, step] of [...steps, "answer" as const].entries()) {
    if (ref !== undefined && number === at) talk.participant = participantOf(ref);
    const composed = ask(talk, composeNext);
    if (composed === undefined) return;
    const answer = answerOf(talk.participant, composed, step, talk.answers++);
    talk.messages.push(answer);
    if (step === "answer" || talk.results === "missing") continue;
    if (talk.results === "late") talk.messages.push(question("Well?"));
    talk.messages.push(resultsOf(answer));
  }
  talk.results = "given";
}

function play(first: string, lead: readonly Message[], all: readonly Turn[]): void {
  const composeNext = createComposeNext({ leastMessages: 4, mostText: 1e6, rests: 50 });
  const talk: Talk = {
    participant: participantOf(first),
    messages: [...lead],
    system: undefined,
    level: "med",
    budget: undefined,
    hasTools: true,
    isCached: false,
    extra: undefined,
    openLoop: "disable",
    account: "account",
    endpoint: undefined,
    knowsRows: true,
    isAskedAtOnce: false,
    answers: 0,
    results: "given",
  };
  for (const turn of all) takeTurn(talk, turn, composeNext);
}

describe("the next request of a conversation", () => {
  it("is what composing the whole history makes, whatever happened to it", () => {
    fc.assert(fc.property(fc.constantFrom(...refs), fc.constantFrom(...leads), turns, play), {
      numRuns: 200,
    });
    expect(reused).toBeGreaterThan(asked / 4);
  }, 120_000);
});
