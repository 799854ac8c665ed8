import type { Given } from "../frame/command.ts";
import type { Io } from "../frame/io.ts";
import { say } from "../frame/fold.ts";
import { listed } from "../frame/listed.ts";
import { didYouMean } from "../frame/nearest.ts";
import { UsageError } from "../frame/usage-error.ts";
import { resolveRef, slippedModel } from "../session/resolve.ts";
import { readJsonFile } from "../wire-tools/input.ts";

/** What a gateway is told, by options or by a file. */
export interface GatewaySettings {
  readonly model?: string;
  readonly map?: Readonly<Record<string, string>>;
  readonly fallback?: readonly string[];
  readonly log?: string;
  readonly record?: string;
}

const names = ["model", "map", "fallback", "log", "record"] as const;

/** Options win over the file. Every ref is checked before anything is opened. */
export async function readGatewaySettings(
  given: Given,
  io: Io,
  model: string | undefined = given.text("model"),
): Promise<GatewaySettings> {
  const file = given.text("config");
  const fromFile = file === undefined ? {} : checkFile(file, await readJsonFile(file, io));
  const map = given.texts("map").map(splitPair);
  const fallback = listed(given.texts("fallback"));
  const log = given.text("log");
  const record = given.text("record");
  const settings: GatewaySettings = {
    ...fromFile,
    ...(model !== undefined && { model }),
    ...(map.length > 0 && { map: inFront(Object.fromEntries(map), fromFile.map) }),
    ...(fallback.length > 0 && { fallback }),
    ...(log !== undefined && { log }),
    ...(record !== undefined && { record }),
  };
  const refs = [settings.model, ...Object.values(settings.map ?? {}), ...(settings.fallback ?? [])];
  for (const ref of refs) if (ref !== undefined) checkRef(ref, io);
  return settings;
}

/** A model that is newer than the catalogue is asked, too, so a slip of the hand is only named. */
function checkRef(ref: string, io: Io): void {
  const { model } = resolveRef(ref);
  const meant = model.assumed === true ? slippedModel(model.id) : undefined;
  if (meant !== undefined)
    say(io, `⚠ ${model.id} is not in the catalogue. Did you mean ${meant}?\n`);
}

/** The first match counts, so options come first; if both have a name, the option's line stays. */
const inFront = (
  options: Readonly<Record<string, string>>,
  file: GatewaySettings["map"],
): Readonly<Record<string, string>> => ({ ...options, ...file, ...options });

function splitPair(pair: string): readonly [string, string] {
  const at = pair.indexOf("=");
  const [name, ref] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  if (at > 0 && name !== "" && ref !== "") return [name, ref];
  throw new UsageError(
    `--map: ${JSON.stringify(pair)} is not allowed. Allowed: NAME=REF`,
    "For example: --map 'claude-haiku-*=gemini-3.8-flash/low'",
  );
}

function checkFile(path: string, value: unknown): GatewaySettings {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError(`${path} is not a JSON object of settings: ${names.join(" ")}`);
  for (const [name, entry] of Object.entries(value)) {
    const known = names.find((each) => each === name);
    if (known === undefined) {
      throw new UsageError(
        `${path}: unknown setting ${JSON.stringify(name)}. Settings: ${names.join(" ")}`,
        didYouMean(name, names),
      );
    }
    if (!isRight[known](entry))
      throw new UsageError(
        `${path}: ${name}: ${JSON.stringify(entry)} is not allowed. Allowed: ${allowed[known]}`,
      );
  }
  return value;
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

const isRight: Readonly<Record<(typeof names)[number], (value: unknown) => boolean>> = {
  model: isText,
  map: (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(isText),
  fallback: (value) => Array.isArray(value) && value.every(isText),
  log: isText,
  record: isText,
};

const allowed: Readonly<Record<(typeof names)[number], string>> = {
  model: "a model ref",
  map: "an object of names and model refs",
  fallback: "a list of model refs",
  log: "a file",
  record: "a folder",
};
