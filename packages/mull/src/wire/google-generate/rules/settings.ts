import type { JsonObject } from "../../../types/json.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { isSpoken } from "../../common/rule-view.ts";
import { hasKeys } from "../client/json-reading.ts";
import {
  configNames,
  configOf,
  field,
  isVertex,
  makeRule,
  thinkingOf,
  withConfig,
} from "./rule-kit.ts";
import { unknownName } from "./structure.ts";

const at = "generation_config";

const mostCandidates = 8;

const candidatesAsked = ({ body }: RuleInput): number => {
  const count = field(configOf(body), "candidateCount");
  return typeof count === "number" ? count : 1;
};

/** Why only one candidate is to be had here; `undefined` where more are. */
function whyOnlyOne(input: RuleInput): string | undefined {
  if (input.path.includes(":streamGenerateContent")) return "Only one candidate can be specified";
  return isVertex(input) || input.model.thinking.kind === "budget"
    ? undefined
    : "Multiple candidates is not enabled for this model";
}

const candidates = (): Rule =>
  makeRule({
    id: "google/candidate-count",
    about: configNames,
    summary: "More than one candidate, up to 8, only on Gemini 2.5 or Vertex, and not in a stream.",
    check: (input) => {
      const count = candidatesAsked(input);
      const isInRange = count >= 1 && count <= mostCandidates;
      const message = isInRange
        ? whyOnlyOne(input)
        : `Unable to submit request because it has a candidateCount value of ${count} but the supported range is from 1 (inclusive) to ${mostCandidates + 1} (exclusive). Update the value and try again.`;
      return count === 1 || message === undefined
        ? []
        : [{ path: `${at}.candidate_count`, message }];
    },
    repairSummary: "Asks for one candidate.",
    repair: (body) => withConfig(body, { candidateCount: undefined }),
  });

const logprobs = (): Rule =>
  makeRule({
    id: "google/logprobs",
    about: configNames,
    summary: "Log probabilities are switched off on the Gemini API, and since Gemini 3 on Vertex.",
    check: (input) => {
      if (field(configOf(input.body), "responseLogprobs") !== true) return [];
      if (isVertex(input) && input.model.thinking.kind === "budget") return [];
      const message = isVertex(input)
        ? "Unable to submit request because Logprobs is not supported for this model."
        : "Logprobs is not enabled for this model";
      return [{ path: `${at}.response_logprobs`, message }];
    },
    repairSummary: "Leaves the log probabilities out.",
    repair: (body) => withConfig(body, { responseLogprobs: undefined, logprobs: undefined }),
  });

/** The names of `generationConfig`, the Gemini API's and Vertex's together. */
const settings: ReadonlySet<string> = new Set([
  "audioTimestamp",
  "audioTranscriptionConfig",
  "candidateCount",
  "enableAffectiveDialog",
  "enableEnhancedCivicAnswers",
  "frequencyPenalty",
  "imageConfig",
  "logprobs",
  "maxOutputTokens",
  "mediaResolution",
  "modelConfig",
  "modelSelectionConfig",
  "presencePenalty",
  "responseFormat",
  "responseJsonSchema",
  "responseLogprobs",
  "responseMimeType",
  "responseModalities",
  "responseSchema",
  "routingConfig",
  "seed",
  "speechConfig",
  "stopSequences",
  "temperature",
  "thinkingConfig",
  "topK",
  "topP",
  "translationConfig",
]);

const thinkingSettings: ReadonlySet<string> = new Set([
  "includeThoughts",
  "thinkingBudget",
  "thinkingLevel",
]);

export const camelName = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const strangeIn = (config: JsonObject, known: ReadonlySet<string>): readonly string[] =>
  Object.keys(config).filter((name) => !known.has(camelName(name)));

const onlyKnown = (config: JsonObject, known: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(config).filter(([name]) => known.has(name) || isSpoken(name)));

const knownSettings = (): Rule =>
  makeRule({
    id: "google/unknown-setting",
    about: configNames,
    summary:
      "Settings of generationConfig and thinkingConfig the service does not know are refused.",
    check: ({ body }) => [
      ...strangeIn(configOf(body), settings).map((name) => unknownName(name, at)),
      ...strangeIn(thinkingOf(body), thinkingSettings).map((name) =>
        unknownName(name, `${at}.thinking_config`),
      ),
    ],
    repairSummary: "Leaves the unknown settings out.",
    repair: (body) => {
      const thinking = onlyKnown(thinkingOf(body), thinkingSettings);
      const { thinkingConfig: _, ...rest } = onlyKnown(configOf(body), settings);
      const generationConfig = { ...rest, ...(hasKeys(thinking) && { thinkingConfig: thinking }) };
      return { ...body, generationConfig };
    },
  });

const mediaTypes: ReadonlySet<string> = new Set([
  "text/plain",
  "application/json",
  "application/xml",
  "application/yaml",
  "text/x.enum",
]);

const answerType = (): Rule =>
  makeRule({
    id: "google/answer-type",
    about: configNames,
    summary: "An answer is plain text, JSON, XML, YAML or one of a few values.",
    check: (input) => {
      const type = field(configOf(input.body), "responseMimeType");
      if (typeof type !== "string" || type === "" || isVertex(input)) return [];
      const path = `${at}.response_mime_type`;
      return mediaTypes.has(type)
        ? []
        : [
            {
              path,
              message: `* GenerateContentRequest.${path}: allowed mimetypes are \`text/plain\`, \`application/json\`, \`application/xml\`, \`application/yaml\` and \`text/x.enum\`.\n`,
            },
          ];
    },
  });

const systemContent = (): Rule =>
  makeRule({
    id: "google/system-instruction",
    about: ["systemInstruction", "system_instruction"],
    summary: "A system instruction is a content with parts, not a text.",
    check: (input) => {
      const given = field(input.body, "systemInstruction");
      if (typeof given !== "string" || isVertex(input)) return [];
      const message = `Invalid value at 'system_instruction' (type.googleapis.com/google.ai.generativelanguage.v1beta.Content), ${JSON.stringify(given)}`;
      return [{ path: "system_instruction", message }];
    },
    repairSummary: "Puts the text into a part.",
    repair: (body) => ({
      ...body,
      systemInstruction: { parts: [{ text: body["systemInstruction"] }] },
    }),
  });

export const settingRules = (): readonly Rule[] => [
  systemContent(),
  knownSettings(),
  answerType(),
  candidates(),
  logprobs(),
];
