import { isJsonObject, type JsonObject } from "../types/json.ts";
import { googleLevels } from "../types/model.ts";
import type { Remedy } from "./heal.ts";
import { changed, mapObjects, nearestWord, without } from "./json-edit.ts";

/** The value Google documents for calls that were not made by the model asked. */
const skipValue = "skip_thought_signature_validator";

/** Replaces every signature: the first call of each answer gets the documented stand-in. */
const resign = (body: JsonObject): JsonObject =>
  changed(body, "contents", (contents) =>
    mapObjects(contents, (content) => {
      if (content["role"] !== "model") return content;
      let isFirstCall = true;
      return changed(content, "parts", (parts) =>
        mapObjects(parts, (part) => {
          const bare = without(part, "thoughtSignature", "thought_signature");
          if (!isJsonObject(part["functionCall"]) || !isFirstCall)
            return Object.keys(bare).some((key) => key !== "thought") ? bare : undefined;
          isFirstCall = false;
          return { ...bare, thoughtSignature: skipValue };
        }),
      );
    }),
  );

const resigned = "signatures replaced by the documented skip value for this request";

const editThinking = (
  body: JsonObject,
  edit: (config: JsonObject) => JsonObject | undefined,
): JsonObject =>
  changed(body, "generationConfig", (generation) =>
    isJsonObject(generation)
      ? changed(generation, "thinkingConfig", (config) =>
          isJsonObject(config) ? edit(config) : config,
        )
      : generation,
  );

const levelOf = (config: JsonObject): string =>
  (typeof config["thinkingLevel"] === "string" ? config["thinkingLevel"] : "").toUpperCase();

export const googleRemedies: readonly Remedy[] = [
  {
    rule: "google/thought-signature-missing",
    refusesSeals: true,
    text: /missing a thought[ _]?signature/i,
    detail: resigned,
    mend: resign,
  },
  {
    rule: "google/thought-signature-invalid",
    refusesSeals: true,
    text: /thought[ _]?signature/i,
    detail: resigned,
    mend: resign,
  },
  {
    rule: "google/level-or-budget",
    text: /only one of thinking budget and thinking level/,
    detail: "budget left out, level kept",
    mend: (body) => editThinking(body, (config) => without(config, "thinkingBudget")),
  },
  {
    rule: "google/level-not-offered",
    text: /is not a supported thinking level for this model\. Allowed values are: ([^.]+)|[Tt]hinking[ _]level (\w+) is not supported/,
    detail: "thinking level moved to the nearest the service takes",
    mend: (body, match) =>
      editThinking(body, (config) => {
        const listed = (match[1] ?? "").toUpperCase().split(/,\s*/).filter(Boolean);
        const allowed =
          listed.length > 0 ? listed : googleLevels.filter((level) => level !== levelOf(config));
        const level = nearestWord(levelOf(config), allowed, googleLevels);
        return level === undefined ? undefined : { ...config, thinkingLevel: level };
      }),
  },
  {
    rule: "google/level-on-budget-model",
    text: /Thinking level is not supported for this model/,
    detail: "thinking settings left out",
    mend: (body) => editThinking(body, () => undefined),
  },
  {
    rule: "google/budget-range",
    text: /thinking budget \(?(-?\d+)\)? is invalid(?:\. Please choose a value between (\d+) and (\d+))?/,
    detail: "thinking budget moved into the range the service named",
    mend: (body, match) =>
      editThinking(body, (config) => {
        if (match[2] === undefined || match[3] === undefined)
          return without(config, "thinkingBudget");
        const budget = Math.min(Math.max(Number(match[1]), Number(match[2])), Number(match[3]));
        return { ...config, thinkingBudget: budget };
      }),
  },
  {
    rule: "google/budget-range",
    text: /Budget 0 is invalid/,
    detail: "this model cannot turn thinking off: the least budget is sent",
    mend: (body, _, model) =>
      editThinking(body, (config) =>
        model.thinking.kind === "budget"
          ? { ...config, thinkingBudget: model.thinking.min }
          : without(config, "thinkingBudget"),
      ),
  },
  {
    rule: "google/thoughts-while-off",
    text: /include_thoughts is only enabled when thinking is enabled/,
    detail: "asked without thoughts",
    mend: (body) => editThinking(body, (config) => without(config, "includeThoughts")),
  },
  {
    rule: "google/thinking-not-enabled",
    text: /Thinking is not enabled for/,
    detail: "thinking settings left out",
    mend: (body) => editThinking(body, () => undefined),
  },
  {
    rule: "google/trailing-model-turn",
    text: /Requests ending with a model turn are not supported/,
    detail: "a user turn that says to continue was added",
    mend: (body) =>
      changed(body, "contents", (contents) =>
        Array.isArray(contents)
          ? [...contents, { role: "user", parts: [{ text: "Continue." }] }]
          : contents,
      ),
  },
];
