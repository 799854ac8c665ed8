import type { Environment } from "mull";
import { badRequest } from "../http/shape.ts";
import { defaultLimits, type Limits } from "../parts.ts";

type ServerLimit = keyof Limits;

const names = Object.keys(defaultLimits) as readonly ServerLimit[];

/** Zero lifts these. Zero of any other would stop everything. */
const liftable: ReadonlySet<ServerLimit> = new Set([
  "tokensPerDay",
  "dollarsPerDay",
  "importsPerDay",
  "importedMessagesPerDay",
  "importedBytesPerDay",
]);

const divisible: ReadonlySet<ServerLimit> = new Set(["dollarsPerDay", "requestsPerSecond"]);

/** A timer that is set to more than this fires at once. */
const longestTimer = 2 ** 31 - 1;

/** `turnsPerUser` is `MULL_TURNS_PER_USER`. The drain time is set in seconds. */
export const limitVariable = (name: ServerLimit): string =>
  name === "drainMs"
    ? "MULL_DRAIN_SECONDS"
    : `MULL_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/** The limits that the environment sets. */
export const readLimits = (env: Environment): Partial<Limits> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const given = env[limitVariable(name)];
      return name === "drainMs" || !given ? [] : [[name, readLimit(name, given)]];
    }),
  );

function readLimit(name: ServerLimit, given: string): number {
  const value = Number(given);
  const least = liftable.has(name) ? 0 : divisible.has(name) ? 0.01 : 1;
  const most = name.endsWith("Ms") ? longestTimer : Number.MAX_SAFE_INTEGER;
  const isFit = value >= least && value <= most && (divisible.has(name) || Number.isInteger(value));
  if (isFit) return value;
  const kind = divisible.has(name) ? "a number" : "a whole number";
  throw badRequest(limitVariable(name), `${kind} from ${least} to ${most}`);
}
