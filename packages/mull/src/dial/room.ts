import { invalidArgument } from "../types/error.ts";
import type { Effort, GoogleLevel, Model } from "../types/model.ts";
import { info, warning, type Note, type ThinkingSetting } from "../types/plan.ts";
import { traitsOf } from "../wire/traits.ts";
import type { ThinkingAsk, ThinkingWish } from "./ask.ts";
import type { ChosenSetting } from "./choose.ts";
import { grouped } from "./words.ts";

/** Anthropic wants a cap on every request: this is the answer's part if the request names none. */
const defaultAnswerRoom = 8192;
/** The least answer a budget may leave when the answer's room was not named. */
export const leastAnswerRoom = 1024;
/** Long conversations: above this many tokens a budget is capped. */
const longContext = { above: 150_000, budget: 10_000 };

/**
 * Room kept for thinking on top of the answer if the service has steps instead of budgets:
 * thinking counts toward the only cap there is, so that thinking could use up a cap of the answer's size
 * alone. It doubles from step to step, because the services' own advice (25,000) is
 * between `medium` and `high`.
 */
const roomOfStep: Readonly<Record<Effort | GoogleLevel, number>> = {
  none: 0,
  minimal: 4096,
  low: 8192,
  medium: 16_384,
  high: 32_768,
  xhigh: 49_152,
  max: 65_536,
  MINIMAL: 4096,
  LOW: 8192,
  MEDIUM: 16_384,
  HIGH: 32_768,
};
const roomUnknown = 16_384;

const isStep = (word: string): word is keyof typeof roomOfStep => Object.hasOwn(roomOfStep, word);

const roomOfDefault = ({ thinking, defaultThinking }: Model): number => {
  if (thinking.kind === "none" || defaultThinking === "off") return 0;
  if (defaultThinking !== undefined && isStep(defaultThinking)) return roomOfStep[defaultThinking];
  return thinking.kind === "budget" ? thinking.max : roomUnknown;
};

type SettingStep = Exclude<ThinkingSetting, { type: "budget" }>;

/** What thinking may take on top of the answer. */
export const thinkingRoomOf = (model: Model, setting: ThinkingSetting): number =>
  setting.type === "budget" ? setting.tokens : wantedRoom(model, setting);

const wantedRoom = (model: Model, setting: SettingStep): number => {
  if (setting.type === "effort") return roomOfStep[setting.effort];
  if (setting.type === "level") return roomOfStep[setting.level];
  if (setting.type === "on") return roomUnknown;
  return setting.type === "off" ? 0 : roomOfDefault(model);
};

/** A thinking setting and the output cap it needs. */
export interface FittedRoom extends ChosenSetting {
  readonly maxOutputTokens?: number;
  readonly answerRoom?: number;
  readonly thinkingRoom?: number;
}

interface Room {
  readonly answer: number;
  readonly cap: number;
  readonly named: boolean;
}

type Sized = Required<FittedRoom>;

const sized = (setting: ThinkingSetting, answer: number, thinking: number): Sized => ({
  setting,
  notes: [],
  maxOutputTokens: answer + thinking,
  answerRoom: answer,
  thinkingRoom: thinking,
});

/** An explicit budget is kept or refused, never changed. */
const fitExplicit = (model: Model, setting: ThinkingSetting, tokens: number, room: Room): Sized => {
  const least = room.named ? room.answer : Math.min(room.answer, leastAnswerRoom);
  if (tokens > room.cap - least) {
    const kept = `the answer keeps ${grouped(least)} of ${grouped(room.cap)}`;
    const allowed = `at most ${grouped(Math.max(room.cap - least, 0))} tokens on ${model.id}: ${kept}`;
    throw invalidArgument("thinkingBudget", tokens, allowed);
  }
  return sized(setting, Math.min(room.answer, room.cap - tokens), tokens);
};

/** A level's budget gives way to the answer; below the model's floor thinking is off instead. */
const fitBudget = (model: Model, tokens: number, room: Room): Sized => {
  const { thinking } = model;
  const fitting = Math.min(tokens, room.cap - room.answer);
  if (fitting === tokens) return sized({ type: "budget", tokens }, room.answer, tokens);
  const floor = thinking.kind === "budget" ? (thinking.leastOn ?? thinking.min) : fitting;
  const kept = `the answer keeps ${grouped(room.answer)} of ${grouped(room.cap)}`;
  if (fitting >= floor) {
    const message = `Thinking budget ${grouped(tokens)} shrinks to ${grouped(fitting)}: ${kept}.`;
    return {
      ...sized({ type: "budget", tokens: fitting }, room.answer, fitting),
      notes: [warning("budget-shrunk", message)],
    };
  }
  if (thinking.kind === "budget" && thinking.off !== "never") {
    const message = `Thinking is off: ${kept}, and ${model.id} needs ${grouped(floor)} to think.`;
    return {
      ...sized({ type: "off", form: thinking.off }, room.answer, 0),
      notes: [warning("no-thinking-room", message)],
    };
  }
  const answer = room.cap - floor;
  const message = `The answer keeps ${grouped(answer)} instead of ${grouped(room.answer)}: ${model.id} cannot turn thinking off and needs ${grouped(floor)}.`;
  return {
    ...sized({ type: "budget", tokens: floor }, answer, floor),
    notes: [warning("answer-room-shrunk", message)],
  };
};

const fitStep = (model: Model, setting: SettingStep, room: Room): Sized => {
  const wanted = wantedRoom(model, setting);
  const thinking = Math.min(wanted, room.cap - room.answer);
  const fitted = sized(setting, room.answer, thinking);
  if (thinking === wanted) return fitted;
  const message = `Thinking and an answer of ${grouped(room.answer)} share the cap of ${grouped(room.cap)}: ${grouped(thinking)} are left for thinking, ${grouped(wanted)} were planned.`;
  return { ...fitted, notes: [warning("thinking-room-shrunk", message)] };
};

const capForLongContext = (
  choice: ChosenSetting,
  contextTokens: number | undefined,
): ChosenSetting => {
  const { setting } = choice;
  const long = (contextTokens ?? 0) > longContext.above;
  if (!long || setting.type !== "budget" || setting.tokens <= longContext.budget) return choice;
  const message = `Thinking budget ${grouped(setting.tokens)} is capped at ${grouped(longContext.budget)}: the conversation is above ${grouped(longContext.above)} tokens.`;
  return {
    setting: { ...setting, tokens: longContext.budget },
    notes: [...choice.notes, warning("long-context-cap", message)],
  };
};

const raisedCap = (model: Model, fitted: Sized): Sized => {
  const { api } = traitsOf[model.wire];
  if (api === undefined || fitted.maxOutputTokens >= api.leastCap) return fitted;
  const { name, leastCap } = api;
  const message = `The ${name} takes no cap below ${leastCap}: ${leastCap} is sent.`;
  return {
    ...fitted,
    maxOutputTokens: leastCap,
    notes: [...fitted.notes, info("cap-raised", message)],
  };
};

const answerRoomOf = (model: Model, ask: ThinkingAsk): number | undefined =>
  ask.maxOutputTokens ?? (traitsOf[model.wire].needsCap ? defaultAnswerRoom : undefined);

/** Fits thinking and answer into the model's output limit: the cap is the sum of both. */
export const fitRoom = (
  model: Model,
  chosen: ChosenSetting,
  wish: ThinkingWish,
  ask: ThinkingAsk,
): FittedRoom => {
  const choice = capForLongContext(chosen, ask.contextTokens);
  const { setting } = choice;
  const wanted = answerRoomOf(model, ask);
  if (wanted === undefined) {
    return { ...choice, ...(setting.type === "budget" && { thinkingRoom: setting.tokens }) };
  }
  const cap = model.outputCap ?? Number.MAX_SAFE_INTEGER;
  const answer = Math.min(wanted, cap);
  const notes: Note[] = [...choice.notes];
  const named = ask.maxOutputTokens !== undefined;
  if (named && answer < wanted) {
    const message = `${model.id} writes at most ${grouped(cap)} tokens, not ${grouped(wanted)}.`;
    notes.push(warning("answer-room-shrunk", message));
  }
  const room: Room = { answer, cap, named };
  const fitted =
    setting.type !== "budget"
      ? fitStep(model, setting, room)
      : wish.budget === undefined
        ? fitBudget(model, setting.tokens, room)
        : fitExplicit(model, setting, setting.tokens, room);
  return raisedCap(model, { ...fitted, notes: [...notes, ...fitted.notes] });
};
