import {
  Agent,
  History,
  parseLevel,
  resolveModel,
  type ChatTarget,
  type Level,
  type Message,
  type Note,
  type Provider,
  type Tool,
  type TurnProgress,
  type UserMessage,
  type Observe,
} from "mull";
import type { Store, StoredMessage, Turn } from "@mull/store";
import type { CallDecision } from "@mull/ui-messages";
import { findProblems, noteProblems, readableMessages } from "../conversations/problems.ts";
import { wholeSystem } from "../conversations/own-system.ts";
import { noSuch } from "../http/refusals.ts";
import type { NextStep } from "../limits/step-cost.ts";
import type { Limits, Upstream } from "../parts.ts";

/** What a user chose to ask, checked. */
export interface Choice {
  readonly target: ChatTarget;
  readonly model: string;
  readonly level: Level;
  readonly isSimulated: boolean;
}

interface PreparedTurn {
  readonly history: readonly Message[];
  /** Absent if the turn continues from waiting calls. */
  readonly question: UserMessage | undefined;
  /** What was decided about those calls. */
  readonly decisions: readonly CallDecision[];
  readonly newAgent: (tools: readonly Tool[], steps: StepLimits) => Agent;
  readonly target: ChatTarget;
  /** The request, besides messages and tools. */
  readonly around: Pick<NextStep, "system" | "room" | "fallback">;
}

/** How the turn is kept within its user's limits. */
export interface StepLimits {
  /** Called before every step but the first. Throws to end the turn. */
  readonly beforeNext: (progress: TurnProgress) => Promise<void>;
  /** Most tokens of the next answer; asked again for every step. */
  readonly cap: () => number | undefined;
}

/** Makes choices and agents. */
export interface TurnMaker {
  /** Refuses models and levels that don't exist. The first one that is given counts. */
  readonly choose: (...wishes: readonly TurnWish[]) => Choice;
  readonly prepare: (
    store: Store,
    userId: string,
    turn: Turn,
    message: StoredMessage,
  ) => Promise<PreparedTurn>;
  readonly upstream: (provider: Provider) => Upstream;
  readonly comply: (messages: readonly Message[]) => Promise<readonly Message[]>;
  readonly system: string | undefined;
}

interface TurnWish {
  readonly model?: unknown;
  readonly level?: unknown;
}

export interface TurnMakerParts {
  readonly upstream: (provider: Provider) => Upstream;
  readonly model: string;
  readonly level: Level;
  /** Refs; providers that can't be asked are skipped. */
  readonly fallback: readonly string[];
  readonly system?: string;
  readonly observe?: Observe;
  readonly limits: Limits;
  readonly now: () => number;
  /** A stored conversation, ready to be sent. */
  readonly comply: (messages: readonly Message[]) => Promise<readonly Message[]>;
}

export function createTurnMaker(parts: TurnMakerParts): TurnMaker {
  const choose = (...wishes: readonly TurnWish[]): Choice => {
    const model = firstText(wishes.map((wish) => wish.model)) ?? parts.model;
    const target = resolveModel(model);
    // A level after the model's name applies only if the same source named the model.
    const levels = wishes.flatMap((wish) => [
      wish.level,
      wish.model === model ? target.level : undefined,
    ]);
    const level = parseLevel(firstText([...levels, target.level]) ?? parts.level);
    const { isSimulated } = parts.upstream(target.provider);
    return { target, model: refOf(target), level, isSimulated };
  };

  return {
    choose,
    upstream: parts.upstream,
    comply: parts.comply,
    system: parts.system,
    async prepare(store, userId, turn, message) {
      const branch =
        message.parentId === null
          ? [message]
          : await store.listBranch(userId, turn.conversationId, message.id);
      const { target, level } = choose(turn.info);
      const { room, plain, fix } = turn.info;
      const decisions = readDecisions(turn.info["decisions"]);
      const question = decisions === undefined ? branch.at(-1)?.message : undefined;
      if (decisions === undefined && question?.role !== "user") throw noSuch("message");
      const earlier = readableMessages(question === undefined ? branch : branch.slice(0, -1));
      const history = await parts.comply(plain === true ? withoutThoughts(earlier) : earlier);
      const notes = [...noteProblems(findProblems(branch)), ...(plain === true ? [plainNote] : [])];
      const upstream = parts.upstream(target.provider);
      const { isSimulated: simulated, hasKey: _, ...connection } = upstream;
      const system = wholeSystem(parts.system, turn.info);
      const around = {
        fallback: fallbackFor(parts, upstream),
        ...(typeof room === "number" && { room }),
        ...(system !== undefined && { system }),
      };
      return {
        history,
        question: question?.role === "user" ? question : undefined,
        decisions: decisions ?? [],
        target: { ...target, level },
        around,
        newAgent: (tools, { beforeNext, cap }) =>
          new Agent(
            { ...target, level },
            {
              ...connection,
              simulated,
              history: History.from(history),
              tools,
              level,
              fallback: around.fallback,
              maxSteps: parts.limits.toolSteps,
              clock: parts.now,
              notes,
              stopWhen: (progress) => beforeNext(progress).then(() => false),
              // Read for every request, because what is left shrinks from step to step.
              get maxOutputTokens() {
                return cap() ?? around.room;
              },
              ...(fix === true && { heal: "insist" as const }),
              ...(system !== undefined && { system }),
              ...(parts.observe !== undefined && { observe: parts.observe }),
            },
          ),
      };
    },
  };
}

/**
 * Only models that are reached the same way: no key goes to another address, and no made-up answer
 * follows an outage.
 */
const fallbackFor = (
  { fallback, upstream }: TurnMakerParts,
  { isSimulated, env, fetch, apiKey }: Upstream,
): readonly ChatTarget[] =>
  fallback
    .map((ref) => resolveModel(ref))
    .filter(({ provider }) => {
      const other = upstream(provider);
      return (
        other.hasKey !== false &&
        other.isSimulated === isSimulated &&
        other.env === env &&
        other.fetch === fetch &&
        other.apiKey === apiKey
      );
    });

/** As `decide` stored them. */
const readDecisions = (stored: unknown): readonly CallDecision[] | undefined =>
  typeof stored === "string" ? (JSON.parse(stored) as readonly CallDecision[]) : undefined;

const plainNote: Note = {
  code: "thoughts-left-out",
  severity: "info",
  message: "Earlier thoughts and blocks that only their maker reads were left out, as asked.",
};

/** What people read and tools did, without anything that a service may refuse to read again. */
const withoutThoughts = (messages: readonly Message[]): readonly Message[] =>
  messages.flatMap((message): readonly Message[] => {
    if (message.role !== "assistant") return [message];
    const parts = message.parts.filter(({ type }) => type !== "thinking" && type !== "opaque");
    return parts.length === 0 ? [] : [{ ...message, parts }];
  });

const firstText = (values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === "string" && value !== "");

/** Always written with the provider, so that it means the same tomorrow. */
const refOf = ({ provider, model }: ChatTarget): string => `${provider.id}:${model.id}`;
