import type { Rule, RuleInput } from "../../../types/rule.ts";
import { configOf, configRule, defineRule, fault, field, isVertex } from "./view.ts";

const at = "generation_config";

const mostCandidates = 8;

/** Why only one candidate is to be had here; `undefined` where more are. */
function whyOnlyOne(input: RuleInput): string | undefined {
  if (input.path.includes(":streamGenerateContent")) return "Only one candidate can be specified";
  return isVertex(input) || input.model.thinking.kind === "budget"
    ? undefined
    : "Multiple candidates is not enabled for this model";
}

const mediaTypes = ["text/plain", "application/json", "application/xml", "application/yaml"];
const allowedTypes = `${mediaTypes.map((type) => `\`${type}\``).join(", ")} and \`text/x.enum\``;

export const settingRules = (): readonly Rule[] => [
  defineRule({
    id: "google/system-instruction",
    about: ["systemInstruction", "system_instruction"],
    summary: "A system instruction is a content with parts, not a text.",
    repairSummary: "Puts the text into a part.",
    when: (input) => !isVertex(input),
    find: ({ body }) => {
      const given = field(body, "systemInstruction");
      const message = `Invalid value at 'system_instruction' (type.googleapis.com/google.ai.generativelanguage.v1beta.Content), ${JSON.stringify(given)}`;
      return typeof given === "string" && fault("system_instruction", message);
    },
    repair: ({ body }) => ({
      ...body,
      systemInstruction: { parts: [{ text: body["systemInstruction"] }] },
    }),
  }),
  configRule({
    id: "google/answer-type",
    summary: "An answer is plain text, JSON, XML, YAML or one of a few values.",
    when: (input) => !isVertex(input),
    find: ({ body }) => {
      const type = field(configOf(body), "responseMimeType");
      if (typeof type !== "string" || ["", "text/x.enum", ...mediaTypes].includes(type)) return [];
      const path = `${at}.response_mime_type`;
      return fault(
        path,
        `* GenerateContentRequest.${path}: allowed mimetypes are ${allowedTypes}.\n`,
      );
    },
  }),
  configRule({
    id: "google/candidate-count",
    summary: "More than one candidate, up to 8, only on Gemini 2.5 or Vertex, and not in a stream.",
    repairSummary: "Asks for one candidate.",
    find: (input) => {
      const count = field(configOf(input.body), "candidateCount");
      if (typeof count !== "number" || count === 1) return [];
      const message =
        count >= 1 && count <= mostCandidates
          ? whyOnlyOne(input)
          : `Unable to submit request because it has a candidateCount value of ${count} but the supported range is from 1 (inclusive) to ${mostCandidates + 1} (exclusive). Update the value and try again.`;
      return message !== undefined && fault(`${at}.candidate_count`, message);
    },
    drops: ["generationConfig.candidateCount"],
  }),
  configRule({
    id: "google/logprobs",
    summary: "Log probabilities are switched off on the Gemini API, and since Gemini 3 on Vertex.",
    when: (input) => !isVertex(input) || input.model.thinking.kind !== "budget",
    find: (input) =>
      field(configOf(input.body), "responseLogprobs") === true &&
      fault(
        `${at}.response_logprobs`,
        isVertex(input)
          ? "Unable to submit request because Logprobs is not supported for this model."
          : "Logprobs is not enabled for this model",
      ),
    drops: ["generationConfig.responseLogprobs", "generationConfig.logprobs"],
  }),
];
