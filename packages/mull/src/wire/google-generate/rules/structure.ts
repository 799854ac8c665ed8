import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { findAll, isSpoken, mapObjectsIn } from "../../common/rule-view.ts";
import { textOf } from "../client/json-reading.ts";
import { partKind } from "../client/parts.ts";
import {
  askedModel,
  configNames,
  configOf,
  field,
  isVertex,
  type Located,
  makeRule,
  mapContents,
  mapParts,
  type Problem,
  type Turn,
  turnsOf,
} from "./rule-kit.ts";

const notFound = { status: 404, type: "NOT_FOUND" };

const notFoundText = (id: string): string =>
  `models/${id} is not found for API version v1beta, or is not supported for generateContent. Call ModelService.ListModels to see the list of available models and their supported methods.`;

const knownModel = (): Rule =>
  makeRule({
    id: "google/model-not-found",
    summary: "Retired ids, ids that were never served and ids of other vendors are not found.",
    preflight: true,
    answer: notFound,
    check: (input) => {
      const { status, successor } = input.model;
      // Experimental ids share a row with the model they led to, and are all gone.
      const isGone =
        status === "retired" || status === "never-served" || /-exp(?:-|$)/.test(askedModel(input));
      // Behind other paths an endpoint may serve models under names of its own.
      const isForeign = isUnlisted(input, false) && input.path.startsWith("/v1beta/models/");
      if (!isGone && !isForeign) return [];
      const message = notFoundText(askedModel(input));
      const fix = successor !== undefined && { fix: `Ask for ${successor}.` };
      return [{ path: "model", message, ...fix }];
    },
  });

/** In no catalogue, and named like one of Google's families or not. */
const isUnlisted = ({ model }: RuleInput, isFamily: boolean): boolean =>
  model.assumed === true && /^gem(?:ini|ma)-/.test(model.id) === isFamily;

const unlistedModel = (): Rule =>
  makeRule({
    id: "google/model-unlisted",
    severity: "warning",
    summary: "The id is in no catalogue; the newest rules of its family are assumed.",
    check: (input) =>
      isUnlisted(input, true)
        ? [{ path: "model", message: `models/${askedModel(input)} is not in the catalogue.` }]
        : [],
  });

const hasContents = (): Rule =>
  makeRule({
    id: "google/contents-required",
    summary: "A request has contents.",
    preflight: true,
    check: (input) =>
      turnsOf(input).length > 0
        ? []
        : [
            {
              path: "contents",
              message: "* GenerateContentRequest.contents: contents is not specified\n",
            },
          ],
  });

const roles: ReadonlySet<string> = new Set(["user", "model", "function"]);

const validRole = (): Rule =>
  makeRule({
    id: "google/role",
    summary: "The roles are user and model; results may come under function too.",
    preflight: true,
    check: (input) =>
      findAll(turnsOf(input), ({ role, index }) =>
        roles.has(role)
          ? []
          : [{ path: `contents[${index}].role`, message: "Please use a valid role: user, model." }],
      ),
    repairSummary: "Turns assistant into model and any other role into user.",
    repair: (body) =>
      mapContents(body, (content) => {
        const role = textOf(content["role"]);
        return { ...content, role: /^(?:assistant|model)$/.test(role) ? "model" : "user" };
      }),
  });

/** A part that brings back the signature of a thought holds nothing else, and is taken. */
const holdsData = (part: JsonObject): boolean =>
  partKind(part) !== undefined || textOf(field(part, "thoughtSignature")) !== "";

/** Nothing is lost with it: `{}`, `{thought: true}`. A repair never sees the null of `{text: null}`. */
const isNothing = (part: JsonObject): boolean => !holdsData(part) && part["text"] === undefined;

/** A content of another API has its words elsewhere: `{role: "user", content: "Hello"}`. */
const isBare = (content: JsonObject): boolean =>
  Object.keys(content).every((key) => key === "role" || key === "parts");

const hasParts = (): Rule =>
  makeRule({
    id: "google/parts-required",
    summary: "Every content has parts, and every part holds one kind of data.",
    preflight: true,
    check: (input) =>
      findAll(turnsOf(input), ({ parts, index }): readonly Problem[] => {
        if (parts.length > 0 && parts.every(holdsData)) return [];
        const path = `contents[${index}].parts`;
        const where = `* GenerateContentRequest.${path}`;
        if (parts.length === 0) {
          return [{ path, message: `${where}: contents.parts must not be empty.\n` }];
        }
        return parts.flatMap((part, at) =>
          holdsData(part)
            ? []
            : [
                {
                  path: `${path}[${at}]`,
                  message: `${where}[${at}].data: required oneof field 'data' must have one initialized field\n`,
                },
              ],
        );
      }),
    repairSummary: "Drops empty parts and contents.",
    repair: (body) =>
      mapContents(body, (content) => {
        const kept = mapObjectsIn(content["parts"], (part) => (isNothing(part) ? undefined : part));
        if (kept.length === 0 && isBare(content)) return undefined;
        return content["parts"] === undefined ? content : { ...content, parts: kept };
      }),
  });

/** In snake case, as the service prints them; camel case is taken alike. */
const topFields: ReadonlySet<string> = new Set([
  "contents",
  "system_instruction",
  "tools",
  "tool_config",
  "safety_settings",
  "generation_config",
  "cached_content",
  "service_tier",
  "labels",
  "store",
  "continuation_token",
  "model",
  "model_armor_config",
]);

export const snake = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const isTopField = (name: string): boolean => topFields.has(name) || topFields.has(snake(name));

/** The violation for an unknown field, with the detail the service sends. */
export function unknownName(name: string, at: string): Problem {
  const where = at === "" ? "" : ` at '${at}'`;
  const message = `Invalid JSON payload received. Unknown name "${name}"${where}: Cannot find field.`;
  const violation = { ...(at !== "" && { field: at }), description: message };
  return {
    path: at === "" ? name : `${at}.${name}`,
    message,
    details: [
      { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [violation] },
    ],
  };
}

const knownFields = (): Rule =>
  makeRule({
    id: "google/unknown-field",
    summary: "Fields the service does not know are refused.",
    preflight: true,
    check: ({ body }) =>
      Object.keys(body)
        .filter((name) => !isTopField(name))
        .map((name) => unknownName(name, "")),
    repairSummary: "Leaves the unknown fields out.",
    repair: (body) =>
      Object.fromEntries(
        Object.entries(body).filter(([name]) => isTopField(name) || isSpoken(name)),
      ),
  });

const idsOnVertex = (): Rule =>
  makeRule({
    id: "google/call-id-on-vertex",
    summary: "Vertex's v1 knows no ids of function calls and responses.",
    check: (input) =>
      isVertex(input) && input.path.startsWith("/v1/")
        ? turnsOf(input).flatMap((turn) => idProblems(turn))
        : [],
    repairSummary: "Leaves the ids out.",
    repair: (body) => mapContents(body, (content) => mapParts(content, withoutIds)),
  });

const idProblems = ({ calls, results, index }: Turn): readonly Problem[] => {
  const at = ({ at: part }: Located, name: string): string =>
    `contents[${index}].parts[${part}].${name}`;
  return [
    ...calls.filter(hasId).map((call) => unknownName("id", at(call, "function_call"))),
    ...results.filter(hasId).map((result) => unknownName("id", at(result, "function_response"))),
  ];
};

const hasId = ({ data }: Located): boolean => "id" in data;

const withoutIds = (part: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (!/^function(?:Call|Response)$/.test(key) || !isJsonObject(value)) return [key, value];
      const { id: _, ...rest } = value;
      return [key, rest];
    }),
  );

/** The service shows all of it, which may be megabytes. */
const shownOfData = 100;

/** Either alphabet of base64, with or without its end; a data URL is neither. */
const isBase64 = (text: string): boolean => /^[\w+/\s-]*=*\s*$/.test(text);

const readableData = (): Rule =>
  makeRule({
    id: "google/base64",
    summary: "Data within a request is base64, without the head of a data URL.",
    check: (input) =>
      findAll(turnsOf(input), ({ parts, index }) =>
        parts.flatMap((part, at): readonly Problem[] => {
          const inline = field(part, "inlineData");
          const data = isJsonObject(inline) ? textOf(inline["data"]) : "";
          if (isBase64(data)) return [];
          const path = `contents[${index}].parts[${at}].inline_data.data`;
          const message = `Invalid value at '${path}' (TYPE_BYTES), Base64 decoding failed for "${data.slice(0, shownOfData)}"`;
          return [{ path, message }];
        }),
      ),
  });

const floats = ["temperature", "topP", "presencePenalty", "frequencyPenalty"] as const;

const numbersOfConfig = (): Rule =>
  makeRule({
    id: "google/number",
    about: configNames,
    summary: "Sampling parameters are numbers.",
    check: ({ body }) =>
      floats.flatMap((name): readonly Problem[] => {
        const value = field(configOf(body), name);
        // A number in quotes is a number to the service.
        if (typeof value !== "string" || Number.isFinite(Number(value))) return [];
        const path = `generation_config.${name.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`)}`;
        return [{ path, message: `Invalid value at '${path}' (TYPE_FLOAT), "${value}"` }];
      }),
  });

const oneCredential = (): Rule =>
  makeRule({
    id: "google/credentials",
    summary: "An API key and a bearer token exclude each other.",
    check: ({ headers }) =>
      headers["x-goog-api-key"] !== undefined && headers["authorization"] !== undefined
        ? [
            {
              path: "headers.authorization",
              message: "Multiple authentication credentials received. Please pass only one.",
            },
          ]
        : [],
  });

export const structureRules = (): readonly Rule[] => [
  knownModel(),
  unlistedModel(),
  oneCredential(),
  knownFields(),
  hasContents(),
  validRole(),
  hasParts(),
  readableData(),
  numbersOfConfig(),
  idsOnVertex(),
];
