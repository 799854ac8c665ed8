import { readFile } from "node:fs/promises";

import type { Given } from "../frame/command.ts";
import type { Io } from "../frame/io.ts";
import { levels } from "../frame/levels.ts";
import { didYouMean } from "../frame/nearest.ts";
import type { SettingRow } from "../frame/page.ts";
import { readCount } from "../frame/read-count.ts";
import { UsageError } from "../frame/usage-error.ts";
import { fileTrouble, parseJson } from "../wire-tools/input.ts";
import { pathsOf } from "./paths.ts";

const thinkingViews = ["peek", "full", "hide"] as const;

/** Everything that can be set; absent means not set. */
export interface Settings {
  readonly model?: string;
  readonly level?: string;
  readonly system?: string;
  readonly think?: (typeof thinkingViews)[number];
  readonly maxOutput?: number;
  readonly plain?: boolean;
  readonly save?: boolean;
  /** Repair a refused request and send it once more. */
  readonly repair?: boolean;
}

type SettingKind = "text" | "number" | "yes or no" | readonly string[];

/** Every setting: what it may be, and the variable that sets it. One row makes all its readers. */
const settingTable: Readonly<
  Record<
    keyof Settings,
    { readonly kind: SettingKind; readonly variable: string; readonly help: string }
  >
> = {
  model: { kind: "text", variable: "MULL_MODEL", help: "model ref used when none is named" },
  level: { kind: levels, variable: "MULL_LEVEL", help: "position of the dial; default med" },
  system: { kind: "text", variable: "MULL_SYSTEM", help: "system prompt" },
  think: { kind: thinkingViews, variable: "MULL_THINK", help: "how the chat shows thinking" },
  maxOutput: { kind: "number", variable: "MULL_MAX_OUTPUT", help: "room for the answer in tokens" },
  plain: { kind: "yes or no", variable: "MULL_PLAIN", help: "labelled lines, without redrawing" },
  save: { kind: "yes or no", variable: "MULL_SAVE", help: "keep conversations; default yes" },
  repair: {
    kind: "yes or no",
    variable: "MULL_REPAIR",
    help: "repair refused requests; default yes",
  },
};

const names = Object.keys(settingTable) as readonly (keyof Settings)[];

/** The settings as documents list them. */
export const settingRows: readonly SettingRow[] = names.map((name) => ({
  name,
  variable: settingTable[name].variable,
  help: settingTable[name].help,
}));

/**
 * Flags win over the environment, the environment over `mull.json`, and that over the user's file.
 */
export async function loadSettings(given: Given, io: Io): Promise<Settings> {
  const { userConfig, projectConfig } = pathsOf(io);
  const environment = settingsIn(io.env);
  await checkLevel(settingTable.level.variable, environment);
  return {
    ...(await readSettingsFile(userConfig)),
    ...(await readSettingsFile(projectConfig)),
    ...environment,
    ...settingsOf(given),
  };
}

function settingsOf(given: Given): Settings {
  const model = given.text("model");
  const level = given.text("level");
  const system = given.text("system");
  const maxOutput = readCount("--max-output", given.text("max-output"), 1);
  return {
    ...(model !== undefined && { model }),
    ...(level !== undefined && { level }),
    ...(system !== undefined && { system }),
    ...(maxOutput !== undefined && { maxOutput }),
    ...(given.has("plain") && { plain: true }),
    ...(given.has("no-save") && { save: false }),
    ...(given.has("fail") && { repair: false }),
  };
}

function settingsIn(env: Io["env"]): Settings {
  const found = names.flatMap((name) => {
    const { variable, kind } = settingTable[name];
    const text = env[variable];
    if (text === undefined || text === "") return [];
    const value = kind === "number" ? count(text) : kind === "yes or no" ? yesOrNo(text) : text;
    return [[name, checkSetting(variable, name, value, (words) => words)] as const];
  });
  return Object.fromEntries(found);
}

/** Text that is not a number stays as written, so that the error can quote it. */
const count = (text: string): unknown => (Number.isFinite(Number(text)) ? Number(text) : text);

const yesOrNo = (text: string): unknown =>
  new Map<string, boolean>([
    ["1", true],
    ["true", true],
    ["yes", true],
    ["0", false],
    ["false", false],
    ["no", false],
  ]).get(text.toLowerCase()) ?? text;

/** Accounts without a home often have `/dev/null` for one. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "ENOENT" || error.code === "ENOTDIR");

const withoutFile = "Repair or remove it: without the file, the defaults apply.";

/** A missing file is fine; a broken one is an error that names the file and the field. */
export async function readSettingsFile(path: string): Promise<Settings> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return {};
    throw new UsageError(`Cannot read ${path}: ${fileTrouble(error)}`);
  }
  const value = parseJson(text, path, () => withoutFile);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError(`${path} is not a JSON object of settings: ${names.join(" ")}`);
  }
  const settings: Settings = Object.fromEntries(
    Object.entries(value).map(([name, entry]) => {
      if (!names.includes(name as keyof Settings)) {
        throw new UsageError(
          `${path}: unknown setting ${JSON.stringify(name)}. Settings: ${names.join(" ")}`,
          didYouMean(name, names),
        );
      }
      return [name, checkSetting(`${path}: ${name}`, name as keyof Settings, entry, jsonWords)];
    }),
  );
  await checkLevel(`${path}: level`, settings);
  return settings;
}

/** Variables are words; a file says the same in JSON. */
const jsonWords = (kind: string): string => (kind === "yes or no" ? "true or false" : kind);

function checkSetting(
  where: string,
  name: keyof Settings,
  value: unknown,
  spell: (kind: string) => string,
): unknown {
  const { kind } = settingTable[name];
  const isRight =
    kind === "text"
      ? typeof value === "string"
      : kind === "number"
        ? Number.isSafeInteger(value) && (value as number) > 0
        : kind === "yes or no"
          ? typeof value === "boolean"
          : typeof value === "string" && (kind.includes(value) || name === "level");
  if (isRight) return value;
  throw notAllowed(where, value, typeof kind === "string" ? spell(kind) : kind.join(" "));
}

const notAllowed = (where: string, value: unknown, words: string): UsageError =>
  new UsageError(`${where}: ${JSON.stringify(value)} is not allowed. Allowed: ${words}`);

/** The dial has more words than its positions, and only the library knows them all. */
async function checkLevel(where: string, { level }: Settings): Promise<void> {
  if (level === undefined || levels.includes(level)) return;
  const { parseLevel } = await import("mull");
  try {
    parseLevel(level);
  } catch {
    throw notAllowed(where, level, levels.join(" "));
  }
}
