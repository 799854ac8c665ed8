import { randomUUID } from "node:crypto";
import type { Store } from "@mull/store";
import { createLoopShare, type LoopShare } from "@mull/store/parts";
import { resolveModel, type Tool } from "mull";
import { usualModel } from "mull/wire";
import { createAccounts, type Accounts } from "./accounts/accounts.ts";
import { createOwner, type Owner } from "./accounts/owner.ts";
import { createRevocations, type Revocations } from "./accounts/revocations.ts";
import { createPasswords } from "./accounts/password.ts";
import { createUserKeys, type UserKeys } from "./keys/user-keys.ts";
import { createBuckets } from "./limits/buckets.ts";
import { createGate, type Gate } from "./limits/gate.ts";
import { createSharedRate, type Rate } from "./limits/shared-rate.ts";
import { createMetrics, type Metrics } from "./observe/metrics.ts";
import { firstLines } from "./observe/first-lines.ts";
import { createScrubber } from "mull/wire";
import { defaultLimits, type ChatServerParts, type Limits, type LogEntry } from "./parts.ts";
import { complyHistory } from "./turns/comply-history.ts";
import { createTurnMaker, type TurnMaker } from "./turns/turn-maker.ts";
import type { LiveEvents } from "./live/live-events.ts";
import { openEvents } from "./live/open-events.ts";
import { createTurns, type Turns } from "./turns/turns.ts";

/** What handlers work with. */
export interface ServerContext {
  readonly parts: ChatServerParts;
  readonly limits: Limits;
  /** Waits while the store opens. */
  readonly store: () => Promise<Store>;
  readonly accounts: Accounts;
  readonly owner: Owner;
  /** As they are at the moment. */
  readonly tools: () => readonly Tool[];
  readonly maker: TurnMaker;
  /** With the user's own keys, if they have any. */
  readonly makerFor: (userId: string) => Promise<TurnMaker>;
  readonly userKeys: UserKeys;
  readonly turns: Turns;
  /** Messages between processes, besides the store. */
  readonly events: LiveEvents;
  readonly revocations: Revocations;
  readonly requests: Rate;
  /** Imports run one after the other: each takes all the event-loop time that others can spare. */
  readonly imports: Gate;
  readonly metrics: Metrics;
  readonly readers: { open: number };
  readonly log: (entry: LogEntry) => void;
  readonly scrub: (text: string) => string;
  readonly now: () => number;
  readonly loop: LoopShare;
  readonly newId: () => string;
  readonly state: {
    isOpen: boolean;
    /** It is about to shut down: balancers are told to send clients elsewhere. */
    isLeaving: boolean;
    /** It takes no new turns. */
    isDraining: boolean;
    /**
     * Requests without an answer yet, and the time of the last request; health checks don't count.
     */
    asking: number;
    askedAt: number;
  };
}

const atStart: Readonly<ServerContext["state"]> = {
  isOpen: false,
  isLeaving: false,
  isDraining: false,
  asking: 0,
  askedAt: -Infinity,
};

export function createContext(parts: ChatServerParts): ServerContext {
  const limits: Limits = { ...defaultLimits, ...parts.limits };
  const now = parts.now ?? Date.now;
  const metrics = createMetrics();
  const scrub = scrubberOf(parts);
  const log = logFor(parts, metrics, now);
  const state: ServerContext["state"] = { ...atStart };
  const opened = Promise.resolve(parts.store).then((store) => {
    state.isOpen = true;
    return store;
  });
  opened.catch((error: unknown) => log({ event: "store-broken", error: scrub(String(error)) }));
  const store = (): Promise<Store> => opened;
  const loop = createLoopShare();
  const userKeys = createUserKeys({
    ...parts,
    store,
    secret: parts.secret,
    userKeys: parts.userKeys,
  });
  const makers = makersFor(parts, userKeys, { limits, now, loop, log });
  const { tools: given = [] } = parts;
  const tools = typeof given === "function" ? given : () => given;
  const events = openEvents({
    store: opened,
    isShared: parts.isShared ?? false,
    ...(parts.redisUrl !== undefined && { redisUrl: parts.redisUrl }),
    log,
    scrub,
  });
  const turns = createTurns({
    store,
    tools,
    limits,
    metrics,
    log,
    scrub,
    now,
    loop,
    events,
  });
  const accounts = accountsFor(parts, { store, limits, now });
  const rate = { size: limits.requestBurst, refillMs: 1000 / limits.requestsPerSecond, now };
  const local = createBuckets(rate);
  const context: ServerContext = {
    parts,
    limits,
    store,
    accounts,
    owner: createOwner({ store, accounts, entrance: parts.entrance }),
    tools,
    ...makers,
    userKeys,
    turns,
    events,
    revocations: createRevocations({ store, running: turns.running }),
    requests: parts.isShared === true ? createSharedRate({ ...rate, store, local }) : local,
    imports: createGate({
      most: 1,
      waiting: 32,
      refusal: "Too many conversations are being imported at once.",
    }),
    metrics,
    readers: { open: 0 },
    log,
    scrub,
    now,
    loop,
    newId: randomUUID,
    state,
  };
  measure(context);
  return context;
}

const logFor =
  ({ log }: Pick<ChatServerParts, "log">, metrics: Metrics, now: () => number) =>
  (entry: LogEntry): void => {
    metrics.count("mull_log_lines_total", { event: entry.event });
    try {
      log?.({ time: new Date(now()).toISOString(), ...entry });
    } catch {
      // If the log's disk is full, answers and turns go on without the log line.
    }
  };

function measure(context: ServerContext): void {
  const { metrics, state } = context;
  metrics.gauge("mull_running_turns", () => context.turns.running().length);
  metrics.gauge("mull_open_readers", () => context.readers.open);
  metrics.gauge("mull_resident_bytes", () => process.memoryUsage.rss());
  metrics.gauge("mull_ready", () => (state.isOpen && !state.isLeaving ? 1 : 0));
}

/** Secrets may be added while the server runs, but most texts arrive without a new one. */
function scrubberOf(parts: Pick<ChatServerParts, "secrets">): (text: string) => string {
  let known = parts.secrets ?? [];
  let scrub = createScrubber(known);
  return (text) => {
    const now = parts.secrets ?? known;
    if (now !== known) [known, scrub] = [now, createScrubber(now)];
    return scrub(text);
  };
}

const accountsFor = (
  parts: ChatServerParts,
  given: Pick<ServerContext, "store" | "limits" | "now">,
): Accounts =>
  createAccounts({
    ...given,
    passwords: createPasswords(parts.passwordCost),
    isSecure: parts.isSecure ?? false,
    ownsLibrary: parts.ownsLibrary ?? false,
    ...(parts.secret !== undefined && { secret: parts.secret }),
  });

/** Shared by all users without their own key. */
function makersFor(
  parts: ChatServerParts,
  userKeys: UserKeys,
  { limits, now, loop, log }: Pick<ServerContext, "limits" | "now" | "loop" | "log">,
): Pick<ServerContext, "maker" | "makerFor"> {
  const make = (upstream: ChatServerParts["upstream"], model: () => string): TurnMaker =>
    createTurnMaker({
      upstream,
      get model() {
        return model();
      },
      level: parts.level ?? "med",
      fallback: parts.fallback ?? [],
      ...(parts.system !== undefined && { system: parts.system }),
      ...(parts.observe !== undefined && { observe: parts.observe }),
      limits,
      now,
      comply: (messages) =>
        complyHistory(messages, {
          log: firstLines((line) => log({ event: "comply", line })),
          loop,
          ...(parts.transforms !== undefined && { stages: parts.transforms }),
        }),
    });
  // Read every time, because the person who runs the server may enter a key.
  const modelNow = (): string => parts.model ?? usualModel({});
  const maker = make(parts.upstream, modelNow);
  return {
    maker,
    async makerFor(userId) {
      const upstream = await userKeys.upstreamFor(userId);
      return upstream === undefined
        ? maker
        : make(upstream, () => reachableModel(modelNow(), upstream));
    },
  };
}

/** The server's default, if the user's keys reach it; otherwise the first model they do reach. */
function reachableModel(model: string, upstream: ChatServerParts["upstream"]): string {
  const { provider } = resolveModel(model);
  const { env, hasKey } = upstream(provider);
  return hasKey === false ? usualModel(env) : model;
}
