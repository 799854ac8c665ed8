import type { WireId } from "mull";

import type { Action } from "./actions.ts";

/** Which requests a script answers. All given conditions must hold. */
export interface When {
  /** Model id; `*` stands for anything. */
  readonly model?: string;
  readonly wire?: WireId;
  /** Found in the last text of the user; a regular expression when written `/…/flags`. */
  readonly text?: string;
  /** The number of the answer in the conversation, from 1. Tool rounds count. */
  readonly turn?: number;
}

/** Scripted answers. Each matching request gets the next one. */
export interface Script {
  readonly when?: When;
  readonly turns: readonly (readonly Action[])[];
  /** Start again after the last turn. By default other scripts answer then, or the brain. */
  readonly repeat?: boolean;
}

/** Makes a script: `script({ text: "weather" }, [calls("get_weather")], [says("Sunny.")])`. */
export const script = (when: When, ...turns: readonly (readonly Action[])[]): Script => ({
  when,
  turns,
});

/** What a script is matched against. */
export interface Asked {
  readonly model: string;
  readonly wire: WireId;
  readonly text: string;
  readonly turn: number;
}

const matchesModel = (pattern: string, model: string): boolean => {
  const escaped = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll("*", ".*");
  return new RegExp(`^${escaped}$`).test(model);
};

const matchesText = (pattern: string, text: string): boolean => {
  const expression = /^\/(.+)\/([a-z]*)$/s.exec(pattern);
  if (expression === null) return text.toLowerCase().includes(pattern.toLowerCase());
  return new RegExp(expression[1] as string, expression[2]).test(text);
};

export const matches = (when: When | undefined, asked: Asked): boolean => {
  if (when === undefined) return true;
  if (when.model !== undefined && !matchesModel(when.model, asked.model)) return false;
  if (when.wire !== undefined && when.wire !== asked.wire) return false;
  if (when.turn !== undefined && when.turn !== asked.turn) return false;
  return when.text === undefined || matchesText(when.text, asked.text);
};

export interface Player {
  readonly load: (scripts: readonly Script[]) => void;
  /** The next turn of the first script that matches and has turns left. */
  readonly next: (asked: Asked) => readonly Action[] | undefined;
  readonly reset: () => void;
}

/** Remembers how far each script has been played. */
export const createPlayer = (first: readonly Script[] = []): Player => {
  let cast = first.map((part) => ({ part, played: 0 }));
  return {
    load: (scripts) => {
      cast = [...cast, ...scripts.map((part) => ({ part, played: 0 }))];
    },
    next: (asked) => {
      for (const role of cast) {
        const { turns, when, repeat } = role.part;
        if (turns.length === 0 || !matches(when, asked)) continue;
        if (role.played >= turns.length && repeat !== true) continue;
        const turn = turns[role.played % turns.length];
        role.played += 1;
        return turn;
      }
      return undefined;
    },
    reset: () => {
      cast = first.map((part) => ({ part, played: 0 }));
    },
  };
};
