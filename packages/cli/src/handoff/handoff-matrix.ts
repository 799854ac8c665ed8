import {
  isMullError,
  lint,
  providers,
  resolveModel,
  type Composed,
  type Level,
  type Message,
  type Model,
} from "mull";

import {
  answerOf,
  composeFor,
  createModelOf,
  question,
  resultsOf,
  type Participant,
} from "./conversation.ts";
import { findTagged } from "./find-tagged.ts";

/**
 * When another model takes over. `between-turns`: after a finished turn. `mid-loop`: after a tool
 * result. `parallel`: after the results of two calls. `back-in-loop`: the first model again, still
 * in the loop. `back-again`: the first model again, in a later turn.
 */
export const handoffKinds = [
  "between-turns",
  "mid-loop",
  "parallel",
  "back-in-loop",
  "back-again",
] as const;
export type HandoffKind = (typeof handoffKinds)[number];

export interface HandoffFailure {
  readonly from: string;
  readonly to: string;
  readonly kind: HandoffKind;
  /** What the service would refuse, or what was sent that must not be. */
  readonly faults: readonly string[];
}

export interface HandoffReport {
  readonly passed: number;
  readonly total: number;
  /** Sealed and thought values of first models that were found again when they came back. */
  readonly restored: number;
  /** Refs of the models that took part. */
  readonly models: readonly string[];
  readonly failures: readonly HandoffFailure[];
  /** Models that cannot hold a conversation with tools at all, and why. */
  readonly leftOut: readonly { readonly model: string; readonly reason: string }[];
}

export interface HandoffOptions {
  /** Model refs; default: every model of the catalogue that thinks. */
  readonly models?: readonly string[];
  readonly kinds?: readonly HandoffKind[];
  /** Level everybody is asked at; default `med`. */
  readonly level?: Level;
  /** Told before a model hands over. */
  readonly onStart?: (from: string) => void;
  /** Told once for each model that hands over. */
  readonly onModel?: (from: string, passed: number, total: number) => void;
}

interface Setting {
  readonly level: Level;
  readonly kinds: ReadonlySet<HandoffKind>;
  readonly modelOf: (id: string) => Model;
}

/** Refs of all catalogue models that think, wherever they are served under their own name. */
export const thinkingModels = (): readonly string[] =>
  providers.flatMap((provider) =>
    provider.models
      .filter((model) => model.thinking.kind !== "none")
      .map((model) => `${provider.id}:${model.id}`),
  );

/**
 * Hands a conversation with thinking and tools from every model to every other and back. Nothing is
 * sent: each request is composed as it would go out and held against the rules of its service.
 */
export function handoffMatrix(options: HandoffOptions = {}): HandoffReport {
  const { level = "med", models = thinkingModels(), kinds = handoffKinds } = options;
  const setting: Setting = {
    level,
    kinds: new Set(kinds),
    modelOf: createModelOf(),
  };
  const leftOut: { readonly model: string; readonly reason: string }[] = [];
  const participants = models.map(toParticipant).filter((participant) => {
    const reason = whyUnable(participant, setting);
    if (reason !== undefined) leftOut.push({ model: participant.ref, reason });
    return reason === undefined;
  });
  const failures: HandoffFailure[] = [];
  let total = 0;
  let restored = 0;
  for (const from of participants) {
    options.onStart?.(from.ref);
    const before = { failures: failures.length, total };
    const story = tell(from, setting);
    for (const to of participants) {
      if (to === from) continue;
      for (const [kind, faults] of handOver(story, to, setting)) {
        total++;
        if (kind === "back-in-loop") restored += story.ownInLoop.length;
        if (kind === "back-again") restored += story.ownNextTurn.length;
        if (faults.length > 0) failures.push({ from: from.ref, to: to.ref, kind, faults });
      }
    }
    const count = total - before.total;
    options.onModel?.(from.ref, count - (failures.length - before.failures), count);
  }
  return {
    passed: total - failures.length,
    total,
    restored,
    models: participants.map(({ ref }) => ref),
    failures,
    leftOut,
  };
}

function toParticipant(ref: string, index: number): Participant {
  const target = resolveModel(ref);
  const { quirks } = target.provider;
  return {
    ref,
    target,
    model: target.model,
    tag: `Tag${index.toString(36).padStart(4, "0")}Z`,
    ...(quirks !== undefined && { quirks }),
  };
}

/** Problems that exist without any history, so that no handoff causes them. */
function whyUnable(participant: Participant, setting: Setting): string | undefined {
  try {
    const composed = composeFor(
      participant,
      [question("How is the weather?")],
      setting.level,
      setting.modelOf,
    );
    return refusals(participant, composed)[0];
  } catch (error) {
    if (!isMullError(error)) throw error;
    return error.message;
  }
}

/** Whether a model is still served is not a matter of the request, so a 404 does not count. */
const refusals = ({ target }: Participant, { plan, encoded }: Composed): readonly string[] =>
  lint({ ...encoded, wire: plan.wire, model: target.model })
    .findings.filter(({ severity, answer }) => severity === "error" && answer?.status !== 404)
    .map(({ rule, path, message }) => `${rule} at ${path}: ${message}`);

/** What one model leaves behind at each point where another may take over. */
interface Story {
  readonly from: Participant;
  readonly midLoop: readonly Message[];
  readonly parallel: readonly Message[];
  readonly betweenTurns: readonly Message[];
  /** Seals of its own the first model gets when it goes on by itself. */
  readonly ownInLoop: readonly string[];
  readonly ownNextTurn: readonly string[];
}

function tell(from: Participant, setting: Setting): Story {
  const start: readonly Message[] = [question("How is the weather?")];
  const first = ask(from, start, setting);
  const call = answerOf(from, first, "call", 1);
  const calls = answerOf(from, first, "parallel", 1);
  const midLoop = [...start, call, resultsOf(call)];
  const second = ask(from, midLoop, setting);
  const answer = answerOf(from, second, "answer", 2);
  const betweenTurns = [...midLoop, answer, question("And tomorrow?")];
  return {
    from,
    midLoop,
    parallel: [...start, calls, resultsOf(calls)],
    betweenTurns,
    ownInLoop: sealsIn(second, from),
    ownNextTurn: sealsIn(ask(from, betweenTurns, setting), from),
  };
}

const ask = (participant: Participant, messages: readonly Message[], setting: Setting): Composed =>
  composeFor(participant, messages, setting.level, setting.modelOf);

function* handOver(
  story: Story,
  to: Participant,
  setting: Setting,
): Generator<readonly [HandoffKind, readonly string[]]> {
  const { kinds } = setting;
  const forward = (messages: readonly Message[]): readonly [Composed, readonly string[]] => {
    const composed = ask(to, messages, setting);
    return [composed, [...refusals(to, composed), ...foreignFaults(story.from, to, composed)]];
  };
  if (kinds.has("parallel")) yield ["parallel", forward(story.parallel)[1]];
  if (kinds.has("mid-loop") || kinds.has("back-in-loop")) {
    const [composed, faults] = forward(story.midLoop);
    if (kinds.has("mid-loop")) yield ["mid-loop", faults];
    if (kinds.has("back-in-loop")) {
      const call = answerOf(to, composed, "parallel", 3);
      const messages = [...story.midLoop, call, resultsOf(call)];
      yield ["back-in-loop", returnFaults(story.from, to, story.ownInLoop, messages, setting)];
    }
  }
  if (kinds.has("between-turns") || kinds.has("back-again")) {
    const [composed, faults] = forward(story.betweenTurns);
    if (kinds.has("between-turns")) yield ["between-turns", faults];
    if (kinds.has("back-again")) {
      const answer = answerOf(to, composed, "answer", 3);
      const messages = [...story.betweenTurns, answer, question("And on Monday?")];
      yield ["back-again", returnFaults(story.from, to, story.ownNextTurn, messages, setting)];
    }
  }
}

/**
 * Sealed data and thinking go only to models that may read them, and thinking never goes as text.
 */
function foreignFaults(
  maker: Participant,
  reader: Participant,
  { encoded }: Composed,
): readonly string[] {
  const tagged = findTagged(encoded.body, maker.tag);
  if (tagged.length === 0) return [];
  if (!mayRead(reader, maker))
    return [`sends ${tagged.length} sealed or thought values to another`];
  return tagged.some(({ isThinking }) => !isThinking) ? ["sends thinking as text"] : [];
}

/** Read off the catalogue's rows alone. */
function mayRead(reader: Participant, maker: Participant): boolean {
  const [from, to] = [maker.target, reader.target];
  if (from.provider.wire.id !== to.provider.wire.id || from.provider.id !== to.provider.id)
    return false;
  const reads = to.model.seals?.reads ?? [];
  return (
    from.model.id === to.model.id ||
    reads.some((name) =>
      name.endsWith("*") ? from.model.id.startsWith(name.slice(0, -1)) : from.model.id === name,
    )
  );
}

/** Back at the first model: a valid request, with all of its own that it would have had anyway. */
function returnFaults(
  from: Participant,
  via: Participant,
  expected: readonly string[],
  after: readonly Message[],
  setting: Setting,
): readonly string[] {
  const composed = ask(from, after, setting);
  const own = sealsIn(composed, from);
  const isRestored = expected.every((text, index) => own[index] === text);
  return [
    ...refusals(from, composed),
    ...foreignFaults(via, from, composed),
    ...(isRestored ? [] : ["the first model's own seals are not restored"]),
  ];
}

const sealsIn = ({ encoded }: Composed, { tag }: Participant): readonly string[] =>
  findTagged(encoded.body, tag).map(({ text }) => text);
