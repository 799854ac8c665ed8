import { isJsonObject } from "../types/json.ts";
import type { Message } from "../types/message.ts";
import type { Note } from "../types/plan.ts";
import type { ChatRequest } from "../types/request.ts";
import { createAsking, type Asking } from "./asking.ts";
import { compose, type ChatTarget, type ComposeContext, type Composed } from "./compose.ts";
import {
  composePiece,
  continues,
  createPast,
  growPast,
  isFine,
  joins,
  sizeOf,
  type Past,
} from "./past-turns.ts";
import type { WrittenItems } from "./write-body.ts";

export interface ComposedNext extends Composed {
  /** The beginning of the body's messages, where it is written already. */
  readonly written?: WrittenItems;
}

/** Composes the requests of conversations, and keeps what their past turns came to. */
export type ComposeNext = (
  target: ChatTarget,
  request: ChatRequest,
  context: ComposeContext,
) => ComposedNext;

export interface KeepingLimits {
  /** Shorter histories are composed anew: there is no time worth saving. */
  readonly leastMessages: number;
  /** Characters of all conversations. One more may come while there is room, of as many at most. */
  readonly mostText: number;
  /** Where there is no room, a conversation that had no part in so many requests makes some. */
  readonly rests: number;
}

interface Keeping {
  readonly limits: KeepingLimits;
  /** By the first message of a conversation; gone when nobody has that message any more. */
  readonly pasts: WeakMap<Message, Past | "seen" | "hopeless">;
  requests: number;
  /** The same to go through, to count what all of them take. */
  all: readonly WeakRef<Past>[];
}

/**
 * What `compose` makes of a request. The turns of a long conversation that are over are kept from the
 * second request on, and then only compared with what they were. Who sends a history once pays for
 * nothing else.
 */
export function createComposeNext(limits: KeepingLimits): ComposeNext {
  const keeping: Keeping = { limits, pasts: new WeakMap(), requests: 0, all: [] };
  return (target, request, context) => {
    const { messages } = request;
    const first = messages?.length >= limits.leastMessages ? messages[0] : undefined;
    const known = isJsonObject(first) ? keeping.pasts.get(first) : "hopeless";
    if (known === undefined) keeping.pasts.set(first!, "seen");
    if (known === undefined || known === "hopeless") return compose(target, request, context);
    try {
      const next = goOn(known, keeping, target, request, context);
      if (next !== undefined) return next;
    } catch {
      // What is refused is refused by the whole, which knows the place.
      const whole = compose(target, request, context);
      keeping.pasts.set(first!, "hopeless");
      return whole;
    }
    return compose(target, request, context);
  };
}

export const composeNext: ComposeNext = createComposeNext({
  leastMessages: 100,
  mostText: 16_000_000,
  rests: 10,
});

function goOn(
  known: Past | "seen",
  keeping: Keeping,
  target: ChatTarget,
  request: ChatRequest,
  context: ComposeContext,
): ComposedNext | undefined {
  const { pasts } = keeping;
  const first = request.messages[0]!;
  // Whatever ends this early leaves nothing behind that is half done.
  pasts.set(first, "seen");
  const asking = createAsking(target, request, context);
  if (asking === undefined) return undefined;
  const past = known === "seen" ? createPast(asking) : known;
  if (!continues(past, asking)) return undefined;
  if (hasRoom(past, keeping)) growPast(past, asking, keeping.limits.mostText);
  const next = past.count > 0 ? append(past, asking) : undefined;
  if (next !== undefined || past.count > request.messages.length / 2) pasts.set(first, past);
  // To look for it once more would cost as much as the whole each time.
  else if (past.count > 0 || past.isClosed) pasts.set(first, "hopeless");
  return next;
}

/** Counts what is kept. Where that is too much, what rested is let go of. */
function hasRoom(wanted: Past, keeping: Keeping): boolean {
  const { limits, pasts } = keeping;
  wanted.usedAt = ++keeping.requests;
  const others = keeping.all
    .flatMap((each) => each.deref() ?? [])
    .filter((past) => past !== wanted && pasts.get(past.first) === past);
  const hasTooMany = !isWithin(limits, [wanted, ...others]);
  const isLetGo = ({ usedAt }: Past): boolean =>
    hasTooMany && wanted.usedAt - usedAt > limits.rests;
  const kept = others.filter((past) => !isLetGo(past));
  for (const past of others) if (isLetGo(past)) pasts.set(past.first, "seen");
  keeping.all = [...kept, wanted].map((past) => new WeakRef(past));
  return isWithin(limits, [wanted, ...kept]);
}

const isWithin = ({ mostText }: KeepingLimits, all: readonly Past[]): boolean =>
  all.reduce((size, past) => size + sizeOf(past), 0) < mostText;

/** The kept beginning with the rest of the history behind it. */
function append(past: Past, asking: Asking): ComposedNext | undefined {
  const { request, field } = asking;
  const rest = { ...request, messages: request.messages.slice(past.count) };
  const piece = composePiece(asking, past, rest, 0);
  const { plan, prepared, encoded, notes } = piece.composed;
  if (!joins(past, asking, piece) || encoded.notes.some(tellsPlace)) return undefined;
  const list = [...past.items, ...piece.items];
  const messages = [...past.sent, ...piece.sent];
  const withheld = [...past.withheld, ...piece.withheld];
  const changes = [...past.changes, ...piece.changes];
  return {
    plan,
    prepared: { ...prepared, messages, withheld, changes },
    request: { ...piece.composed.request, messages },
    encoded: { ...encoded, body: { ...encoded.body, [field]: list } },
    notes,
    written: {
      list,
      count: past.items.length,
      text: past.text,
      isWhole: past.isWhole,
      ...(isFine(past, asking) && { news: encoded.body }),
    },
  };
}

/** A place in the rest alone. */
const tellsPlace = ({ message }: Note): boolean => /\bmessages[.[]\d/.test(message);
