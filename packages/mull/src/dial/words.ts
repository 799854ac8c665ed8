import type { Level } from "../types/level.ts";
import type { Effort, GoogleLevel, Model } from "../types/model.ts";
import { info, warning, type Note, type ThinkingSetting } from "../types/plan.ts";

/** A number with separators: `43,008`. */
export const grouped = (count: number): string => count.toLocaleString("en-US");

/** A number and its noun: `1 sealed thought`, `1,024 tokens`, `2 repairs`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** A level as sentences spell it. */
export const levelWord = (level: Level): string => (level === "med" ? "medium" : level);

/** The level that each effort means, as a table by effort. */
export const levelOfEffort: Readonly<Record<Effort, Level>> = {
  none: "none",
  minimal: "min",
  low: "low",
  medium: "med",
  high: "high",
  xhigh: "max",
  max: "max",
};

/** The level that each word of Gemini's `thinkingLevel` means, as a table by word. */
export const levelOfGoogle: Readonly<Record<GoogleLevel, Level>> = {
  MINIMAL: "min",
  LOW: "low",
  MEDIUM: "med",
  HIGH: "high",
};

/** A thinking setting in three words or fewer. */
export const settingWords = (setting: ThinkingSetting): string => {
  if (setting.type === "effort") return `effort ${setting.effort}`;
  if (setting.type === "level") return `level ${setting.level}`;
  if (setting.type === "budget") return `budget ${grouped(setting.tokens)}`;
  if (setting.type === "default") return "no thinking field";
  return setting.type === "on" ? "thinking on" : "thinking off";
};

const successorOf = (model: Model): string =>
  model.successor === undefined ? "" : `; its successor is ${model.successor}`;

/** The notes about a model that hold for every request. */
export const modelNotes = (model: Model, vendor: string): readonly Note[] => {
  const { id } = model;
  const notes: Note[] = [];
  if (model.assumed) {
    const why =
      model.note ?? `${id} is not in the catalogue: the newest rules of its family apply.`;
    notes.push(warning("assumed-model", why));
  }
  const end = model.endOfLife === undefined ? "" : ` on ${model.endOfLife}`;
  if (model.status === "deprecated") {
    // Written so that it is right before and after the date: there is no clock here.
    const when = end === "" ? "is being shut down" : `is shut down${end}`;
    notes.push(info("deprecated", `${id} ${when}${successorOf(model)}.`));
  } else if (model.status === "retired") {
    notes.push(warning("retired", `${vendor} has shut ${id} down${end}${successorOf(model)}.`));
  } else if (model.status === "never-served") {
    notes.push(warning("never-served", `${vendor} never served ${id}${successorOf(model)}.`));
  } else if (model.status === "rerouted") {
    notes.push(info("rerouted", `${vendor} answers ${id} with ${model.successor ?? "another"}.`));
  }
  return notes;
};
