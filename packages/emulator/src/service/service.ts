import { isJsonObject } from "mull/wire";
import type { AssistantPart, Finish, JsonObject, JsonValue, Model, WireId } from "mull";
import type { Rule, RuleInput } from "mull/rules";
import type { WireRequest, ServeError, ServerSentEvent, WireMirror } from "mull/wire";

import type { Altered } from "../fault/alter-events.ts";
import type { World } from "../world/world.ts";
import type { DraftPart } from "../world/draft.ts";

/** A request on its way through the emulator. Header names are lower case. */
export interface ServiceExchange {
  readonly wire: WireId;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** The wire's own JSON, stored turns filled in. */
  readonly body: JsonObject;
  readonly model: Model;
  /** The model id as it was asked for. */
  readonly modelId: string;
  readonly account: string;
  readonly world: World;
}

/** An exchange whose request was read. */
export interface ReadExchange extends ServiceExchange {
  readonly request: WireRequest;
}

/** A refusal and the rule behind it. */
export interface Refusal {
  readonly rule: string;
  readonly error: ServeError;
}

/** A drafted part as it will be seen: thinking with no text is withheld. */
export type FittedPart = DraftPart & { readonly shown?: boolean };

/** How an answer ends. */
export type Ending = "stop" | "tool-calls" | "length" | "content-filter" | "refusal" | "pause";

/** What is peculiar to one of the services. */
export interface Service {
  readonly wire: WireId;
  readonly mirror: WireMirror;
  readonly rules: readonly Rule[];
  /** Fills in stored turns, or says why it cannot. */
  readonly recall?: (exchange: ServiceExchange) => JsonObject | Refusal;
  /** Checks that need the seals' key or the stored state. */
  readonly check?: (exchange: ServiceExchange) => Refusal | undefined;
  readonly verifySeal: (exchange: ServiceExchange) => NonNullable<RuleInput["verifySeal"]>;
  readonly newReplyId: (world: World) => string;
  /** Whether people see the thinking. */
  readonly shows: (exchange: ReadExchange) => boolean;
  /** Whether the model thinks again after a tool result. */
  readonly thinksBetweenTools: (exchange: ReadExchange) => boolean;
  readonly seal: (
    parts: readonly FittedPart[],
    exchange: ServiceExchange,
    replyId: string,
  ) => readonly AssistantPart[];
  /** Whether a drafted part is sent at all: some services keep thinking to themselves. */
  readonly writes: (part: FittedPart, exchange: ServiceExchange) => boolean;
  readonly finish: (ending: Ending) => Finish;
  /** Further fields of the answer. */
  readonly metadata?: (exchange: ServiceExchange) => JsonObject;
  /** System, tools and the rest, then the messages, to be counted. */
  readonly prompt: (body: JsonObject) => {
    readonly pieces: readonly (JsonValue | undefined)[];
    readonly messages: readonly JsonValue[];
  };
  /** The bytes of each event, and the content type. */
  readonly frame: (
    events: readonly ServerSentEvent[],
    query: URLSearchParams,
    position?: "later",
  ) => { readonly contentType: string; readonly texts: readonly string[] };
  /** The request, for services whose answer repeats it. */
  readonly repeat?: (exchange: ReadExchange) => WireRequest;
  /** The thinking settings that were really used. */
  readonly echo?: (exchange: ReadExchange) => JsonObject;
  /** Adds what only some requests ask for: several answers, counts, log probabilities, the tier. */
  readonly wholeChoices?: (answer: JsonObject, exchange: ReadExchange) => JsonObject;
  /** The same for a stream, if it needs events of its own. */
  readonly spread?: (events: readonly ServerSentEvent[], exchange: ReadExchange) => Altered;
  /** What the service adds to its events on the way out. */
  readonly decorate?: (
    events: readonly ServerSentEvent[],
    exchange: ReadExchange,
  ) => readonly ServerSentEvent[];
  /** Remembers an answer it may be asked about. */
  readonly remember?: (exchange: ReadExchange, answer: JsonObject) => void;
  /** The immediate reply to a request whose answer is fetched later. */
  readonly postpone?: (answer: JsonObject, exchange: ReadExchange) => JsonObject;
}

export const unchanged = (events: readonly ServerSentEvent[]): Altered => ({
  events,
  placeOf: (original) => original,
});

export const objectIn = (value: JsonValue | undefined): JsonObject =>
  isJsonObject(value) ? value : {};

export const listIn = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [];

export const textIn = (value: JsonValue | undefined): string =>
  typeof value === "string" ? value : "";

/** The tier OpenAI serves a request on: the one it names, unless it leaves the choice to the service. */
export const servedTier = ({ service_tier: tier }: JsonObject): string =>
  tier === "flex" || tier === "priority" ? tier : "default";

export const invalidRequest = (
  rule: string,
  message: string,
  more: Partial<ServeError> = {},
): Refusal => ({
  rule,
  error: { status: 400, type: "invalid_request_error", message, ...more },
});
