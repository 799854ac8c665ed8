import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { Rule } from "../../../types/rule.ts";
import { asObject } from "../client/parts.ts";
import { type Hit, invalidValue, kindOf, makeRule, omit } from "./make-rule.ts";
import { tooLong } from "./structure.ts";

/** Settings that take one of a few words, and where the word stands. */
const words: readonly {
  readonly path: string;
  readonly in: (body: JsonObject) => JsonValue | undefined;
  readonly allowed: readonly string[];
}[] = [
  {
    path: "service_tier",
    in: (body) => body["service_tier"],
    allowed: ["auto", "default", "flex", "scale", "priority"],
  },
  { path: "truncation", in: (body) => body["truncation"], allowed: ["auto", "disabled"] },
  {
    path: "text.verbosity",
    in: (body) => asObject(body["text"])["verbosity"],
    allowed: ["low", "medium", "high"],
  },
];

const switches = ["stream", "store", "background", "parallel_tool_calls"] as const;

const mostMetadata = 16;
const longestCacheKey = 64;

const isGiven = (value: JsonValue | undefined): value is Exclude<JsonValue, null> =>
  value !== undefined && value !== null;

function findValues(body: JsonObject): readonly Hit[] {
  const { metadata, prompt_cache_key: key } = body;
  const hits: Hit[] = words.flatMap(({ path, in: wordIn, allowed }): readonly Hit[] => {
    const word = wordIn(body);
    if (!isGiven(word) || allowed.some((known) => known === word)) return [];
    return [{ path, message: invalidValue(word, allowed), code: "invalid_value" }];
  });
  for (const path of switches) {
    const value = body[path];
    if (!isGiven(value) || typeof value === "boolean") continue;
    const message = `Invalid type for '${path}': expected a boolean, but got ${kindOf(value)} instead.`;
    hits.push({ path, message, code: "invalid_type" });
  }
  const count = isJsonObject(metadata) ? Object.keys(metadata).length : 0;
  if (count > mostMetadata) {
    const message = `Invalid 'metadata': too many properties. Expected an object with at most ${mostMetadata} properties, but got an object with ${count} properties instead.`;
    hits.push({ path: "metadata", message, code: "object_above_max_properties" });
  }
  if (typeof key === "string" && key.length > longestCacheKey) {
    hits.push(tooLong("prompt_cache_key", longestCacheKey, key.length));
  }
  return hits;
}

const about = ["service_tier", "truncation", "text", ...switches, "metadata", "prompt_cache_key"];

export const settingValueRules = (): readonly Rule[] => [
  makeRule({
    id: "openai/setting-values",
    about,
    summary:
      "Tier, truncation and verbosity are known words, switches true or false; metadata has at most 16 entries, a cache key 64 characters.",
    repairSummary: "Leaves out what cannot be.",
    find: ({ body }) => findValues(body),
    repair: (body) => {
      const wrong = new Set(findValues(body).map(({ path }) => path));
      const kept = omit(body, ...wrong);
      return wrong.has("text.verbosity")
        ? { ...kept, text: omit(asObject(body["text"]), "verbosity") }
        : kept;
    },
  }),
];
