import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { asObject, asText, without } from "../../common/json-reading.ts";
import {
  fault,
  cheap,
  mapObjectsIn,
  type RuleFound,
  type RuleTable,
} from "../../common/rules/define-rule.ts";
import { partKind } from "../client/parts.ts";
import {
  askedModel,
  configOf,
  inRequest,
  field,
  isVertex,
  mapContents,
  mapParts,
  partsOf,
  snake,
  turnsOf,
  unknownName,
} from "./view.ts";

/** Whether the id is in no catalogue, and its name is like those of Google's families, or not. */
const isUnlisted = ({ model }: RuleInput, isFamily: boolean): boolean =>
  model.assumed === true && /^gem(?:ini|ma)-/.test(model.id) === isFamily;

/** Experimental ids share a row with the model they led to, and are all gone. */
const isGone = (input: RuleInput): boolean =>
  ["retired", "never-served"].includes(input.model.status) || /-exp(?:-|$)/.test(askedModel(input));

/** What is asked, and by whom. */
export const requestRules: RuleTable = {
  "google/model-not-found": cheap({
    summary: "Retired ids, ids that were never served and ids of other vendors are not found.",
    answer: { status: 404, type: "NOT_FOUND" },
    find: (input) => {
      // On other paths an endpoint may serve models under its own names.
      const isForeign = isUnlisted(input, false) && input.path.startsWith("/v1beta/models/");
      const { successor } = input.model;
      const message = `models/${askedModel(input)} is not found for API version v1beta, or is not supported for generateContent. Call ModelService.ListModels to see the list of available models and their supported methods.`;
      const fix = successor !== undefined && { fix: `Ask for ${successor}.` };
      return (isGone(input) || isForeign) && { path: "model", message, ...fix };
    },
  }),
  "google/model-unlisted": {
    severity: "warning",
    summary: "The id is in no catalogue; the newest rules of its family are assumed.",
    says: (_, input) => `models/${askedModel(input)} is not in the catalogue.`,
    find: (input) => isUnlisted(input, true) && "model",
  },
  "google/credentials": {
    summary: "A request has an API key or a bearer token, not both.",
    says: "Multiple authentication credentials received. Please pass only one.",
    find: ({ headers }) =>
      headers["x-goog-api-key"] !== undefined &&
      headers["authorization"] !== undefined &&
      "headers.authorization",
  },
};

const roles: ReadonlySet<string> = new Set(["user", "model", "function"]);

/** A part that brings back the signature of a thought holds nothing else, and is taken. */
const holdsData = (part: JsonObject): boolean =>
  partKind(part) !== undefined || asText(field(part, "thoughtSignature")) !== "";

/** Nothing is lost with it: `{}`, `{thought: true}`. A repair never sees the null of `{text: null}`. */
const isNothing = (part: JsonObject): boolean => !holdsData(part) && part["text"] === undefined;

/** Whether nothing else is in it. The trap: `{role: "user", content: "Hello"}` has no parts, but holds what a person said. */
const isBare = (content: JsonObject): boolean =>
  Object.keys(content).every((key) => key === "role" || key === "parts");

/** Either alphabet of base64, with or without its end; a data URL is neither. */
const isBase64 = (data: string): boolean => /^[\w+/\s-]*=*\s*$/.test(data);

/** The service shows all of it, which may be megabytes. */
const shownOfData = 100;

// `topK` is whole on the Gemini API, but Vertex takes fractions.
const floats = ["temperature", "topP", "topK", "presencePenalty", "frequencyPenalty"] as const;
const integers = ["maxOutputTokens", "candidateCount", "seed"] as const;
const pairs = ["functionCall", "functionResponse"] as const;

/** A number in quotes is a number to the service. */
function notANumber(
  name: string,
  value: JsonValue | undefined,
  kind: "FLOAT" | "INT32",
): RuleFound {
  if (value == null || isNumber(value, kind)) return [];
  const path = `generation_config.${name}`;
  return fault(path, `Invalid value at '${path}' (TYPE_${kind}), ${JSON.stringify(value)}`);
}

const isNumber = (value: JsonValue, kind: "FLOAT" | "INT32"): boolean => {
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return kind === "FLOAT" ? Number.isFinite(number) : Number.isInteger(number);
};

const isEmpty = inRequest("contents.parts must not be empty.");
const lacksData = inRequest("required oneof field 'data' must have one initialized field");

/** Contents with a role, and parts that hold something. */
export const contentRules: RuleTable = {
  "google/contents-required": cheap({
    summary: "A request has contents.",
    says: inRequest("contents is not specified"),
    find: (input) => turnsOf(input).length === 0 && "contents",
  }),
  "google/role": cheap({
    summary: "The roles are user and model; results may also have the role function.",
    says: "Please use a valid role: user, model.",
    repairSummary: "Turn assistant into model, and any other role into user.",
    find: (input) =>
      turnsOf(input).map(({ role, index }) => !roles.has(role) && `contents[${index}].role`),
    repair: ({ body }) =>
      mapContents(body, (content) => {
        const isModel = /^(?:assistant|model)$/.test(asText(content["role"]));
        return { ...content, role: isModel ? "model" : "user" };
      }),
  }),
  "google/parts-required": cheap({
    summary: "Every content has parts, and every part holds one kind of data.",
    repairSummary: "Remove empty parts and contents.",
    find: (input) =>
      turnsOf(input).map(({ parts, index }) => {
        const path = `contents[${index}].parts`;
        if (parts.length === 0) return fault(path, isEmpty(path));
        const empty = parts.filter(({ part }) => !holdsData(part));
        return empty.map((placed) => fault(placed.path, lacksData(`${placed.path}.data`)));
      }),
    repair: ({ body }) =>
      mapContents(body, (content) => {
        const kept = mapObjectsIn(content["parts"], (part) => (isNothing(part) ? undefined : part));
        if (kept.length === 0 && isBare(content)) return undefined;
        return content["parts"] === undefined ? content : { ...content, parts: kept };
      }),
  }),
  "google/base64": {
    summary: "Data in a request is base64, without the start of a data URL.",
    find: (input) =>
      partsOf(input).map(({ part, path: place }) => {
        const data = asText(asObject(field(part, "inlineData"))["data"]);
        const path = `${place}.inline_data.data`;
        const message = `Invalid value at '${path}' (TYPE_BYTES), Base64 decoding failed for "${data.slice(0, shownOfData)}"`;
        return !isBase64(data) && fault(path, message);
      }),
  },
  "google/number": {
    summary: "Sampling parameters and caps are numbers, and caps are whole.",
    fix: "Send a number.",
    find: ({ body }) => {
      const config = configOf(body);
      const budget = field(asObject(field(config, "thinkingConfig")), "thinkingBudget");
      return [
        floats.map((name) => notANumber(snake(name), field(config, name), "FLOAT")),
        integers.map((name) => notANumber(snake(name), field(config, name), "INT32")),
        notANumber("thinking_config.thinking_budget", budget, "INT32"),
      ];
    },
  },
  "google/call-id-on-vertex": {
    summary: "Vertex's v1 doesn't know ids of function calls and responses.",
    refusal: /Unknown name "id" at '[^']*\.function_(?:call|response)'/,
    repairSummary: "Leave the ids out.",
    when: (input) => isVertex(input) && input.path.startsWith("/v1/"),
    find: (input) =>
      partsOf(input).map(({ part, path }) =>
        pairs
          .filter((name) => "id" in asObject(field(part, name)))
          .map((name) => unknownName("id", `${path}.${snake(name)}`)),
      ),
    repair: ({ body }) =>
      mapParts(body, (part) => {
        const name = pairs.find((each) => isJsonObject(part[each]));
        return name ? { ...part, [name]: without(asObject(part[name]), "id") } : part;
      }),
  },
};
