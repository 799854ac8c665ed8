import { styleText } from "node:util";

export type Format =
  | "bold"
  | "dim"
  | "italic"
  | "underline"
  | "strikethrough"
  | "red"
  | "green"
  | "yellow"
  | "cyan"
  | "magenta"
  | "inverse";

/** How this terminal is written to: colours or none, all signs or ASCII. */
export interface Look {
  readonly hasColour: boolean;
  readonly paint: (text: string, ...formats: readonly Format[]) => string;
  /** Our own words in the signs this terminal has. */
  readonly spell: (text: string) => string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** ASCII for our signs when the locale is not UTF-8. */
const plainSigns: ReadonlyMap<string, string> = new Map([
  ["∴", "*"],
  ["✓", "ok"],
  ["⚠", "!"],
  ["✗", "x"],
  ["▸", ">"],
  ["❯", ">"],
  ["┆", "|"],
  ["│", "|"],
  ["─", "-"],
  ["■", "#"],
  ["·", "-"],
  ["•", "*"],
  ["→", "->"],
  ["…", "..."],
  ["–", "-"],
  ["↑", "Up"],
  ["↓", "Down"],
  ["⏎", "Enter"],
  ["⇧", "Shift-"],
  ["⌥", "Alt-"],
]);
const ourSigns = new RegExp(`[${[...plainSigns.keys()].join("")}]`, "g");

/** Nothing set is taken for UTF-8, as bare containers are; an explicit other locale is believed. */
const hasUtf8 = (env: Env): boolean => {
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find(Boolean);
  return locale === undefined || /utf-?8/i.test(locale);
};

const hasColour = (env: Env): boolean => {
  if (env["NO_COLOR"] !== undefined && env["NO_COLOR"] !== "") return false;
  return env["TERM"] !== "dumb";
};

export const createLook = (env: Env): Look => {
  const colour = hasColour(env);
  const utf8 = hasUtf8(env);
  return {
    hasColour: colour,
    paint: (text, ...formats) =>
      !colour || text === "" || formats.length === 0
        ? text
        : formats.reduce(
            (painted, format) => styleText(format, painted, { validateStream: false }),
            text,
          ),
    spell: (text) =>
      utf8 ? text : text.replaceAll(ourSigns, (sign) => plainSigns.get(sign) ?? sign),
  };
};
