import { isJsonObject } from "mull/wire";
import { isMullError, MullError, type JsonObject, type JsonValue } from "mull";

import { parseScripts, parseWhen } from "./script/parse-scripts.ts";
import type { Incoming } from "./service/answer-request.ts";
import { resetWorld, type World } from "./world/world.ts";

const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store" },
  });

const readJson = (text: string): JsonValue => {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new MullError("The body is not JSON.", { category: "invalid_argument" });
  }
};

const loadScripts = (world: World, text: string): JsonObject => {
  const scripts = parseScripts(text);
  world.player.load(scripts);
  return { loaded: scripts.length };
};

const planFaults = (world: World, text: string): JsonObject => {
  const body = readJson(text);
  const plan = typeof body === "string" ? { faults: body } : body;
  if (!isJsonObject(plan) || typeof plan["faults"] !== "string") {
    throw new MullError(
      'faults: say what goes wrong, e.g. {"faults": "status=429:seconds:2000", "times": 1}',
      { category: "invalid_argument", field: "faults" },
    );
  }
  const { faults, when, times } = plan;
  world.faults.add({
    faults,
    ...(when !== undefined && { when: parseWhen(when) }),
    ...(typeof times === "number" && { times }),
  });
  return { planned: faults };
};

const reset = (world: World): JsonObject => {
  resetWorld(world);
  return { reset: true };
};

/** What tests in any language can do, by method and path. */
const actions = new Map<string, (world: World, body: string) => object>([
  ["GET /__mull/health", () => ({ ok: true, simulated: true })],
  ["GET /__mull/journal", (world) => ({ entries: world.journal.read() })],
  [
    "DELETE /__mull/journal",
    (world) => {
      world.journal.clear();
      return { cleared: true };
    },
  ],
  ["POST /__mull/scripts", loadScripts],
  ["POST /__mull/faults", planFaults],
  ["POST /__mull/reset", reset],
]);

/** The control endpoint: load scripts, plan faults, read the journal, start over. */
export const control = (world: World, incoming: Incoming): Response => {
  const action = actions.get(`${incoming.method} ${incoming.path}`);
  if (action === undefined) {
    return json(404, { error: `Unknown. Known: ${[...actions.keys()].join(", ")}` });
  }
  try {
    return json(200, action(world, incoming.body));
  } catch (error) {
    if (!isMullError(error)) throw error;
    return json(400, { error: error.message });
  }
};
