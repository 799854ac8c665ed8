import type { RuleInput } from "../../../types/rule.ts";
import { fault, cheap, clamp, type RuleTable } from "../../common/rules/define-rule.ts";
import { geminiGeneration } from "../client/generation.ts";
import { askedModel, configOf, field, inRequest, isVertex, snake, withConfig } from "./view.ts";

const at = "generation_config";

const mostCandidates = 8;

/** Why only one candidate is allowed; `undefined` if more are. */
function whyOnlyOne(input: RuleInput): string | undefined {
  if (input.path.includes(":streamGenerateContent")) return "Only one candidate can be specified";
  return isVertex(input) || input.model.thinking.kind === "budget"
    ? undefined
    : "Multiple candidates is not enabled for this model";
}

const mediaTypes = ["text/plain", "application/json", "application/xml", "application/yaml"];
const allowedTypes = `${mediaTypes.map((type) => `\`${type}\``).join(", ")} and \`text/x.enum\``;

const penalties = ["frequencyPenalty", "presencePenalty"] as const;

const ranges = [
  ["temperature", 2],
  ["topP", 1],
] as const;

/** Penalties and sampling parameters. */
export const settingRules: RuleTable = {
  "google/penalty": cheap({
    summary: "Gemini 2.5, 3.5-flash-lite, 3.6 and later refuse frequency and presence penalties.",
    says: (_, input) => `Penalty is not enabled for models/${askedModel(input)}`,
    when: (input) =>
      !isVertex(input) &&
      (input.model.sampling === "ignored" || geminiGeneration(input.model) === 2.5),
    find: ({ body }) =>
      penalties.map((name) => (field(configOf(body), name) ?? 0) !== 0 && `${at}.${snake(name)}`),
    drops: ["generationConfig.frequencyPenalty", "generationConfig.presencePenalty"],
  }),
  "google/sampling-range": cheap({
    summary:
      "`temperature` is between 0 and 2, `topP` between 0 and 1, even on models that ignore them.",
    repairSummary: "Use the nearest value in the range.",
    find: ({ body }) =>
      ranges.map(([name, most]) => {
        const value = field(configOf(body), name);
        const path = `${at}.${snake(name)}`;
        const says = inRequest(`${snake(name)} must be in the range [0.0, ${most}.0].`);
        return (
          typeof value === "number" && value !== clamp(value, 0, most) && fault(path, says(path))
        );
      }),
    repair: ({ body }) =>
      ranges.reduce((repaired, [name, most]) => {
        const value = configOf(body)[name];
        return typeof value === "number"
          ? withConfig(repaired, { [name]: clamp(value, 0, most) })
          : repaired;
      }, body),
  }),
  "google/system-instruction": {
    summary: "A system instruction is a content with parts, not a string.",
    says: (path, { body }) =>
      `Invalid value at '${path}' (type.googleapis.com/google.ai.generativelanguage.v1beta.Content), ${JSON.stringify(field(body, "systemInstruction"))}`,
    repairSummary: "Put the text into a part.",
    when: (input) => !isVertex(input),
    find: ({ body }) =>
      typeof field(body, "systemInstruction") === "string" && "system_instruction",
    repair: ({ body }) => ({
      ...body,
      systemInstruction: { parts: [{ text: body["systemInstruction"] }] },
    }),
  },
  "google/answer-type": {
    summary: "An answer is plain text, JSON, XML, YAML or one of a few values.",
    says: inRequest(`allowed mimetypes are ${allowedTypes}.`),
    when: (input) => !isVertex(input),
    find: ({ body }) => {
      const type = field(configOf(body), "responseMimeType");
      const isTaken = ["", "text/x.enum", ...mediaTypes].some((taken) => taken === type);
      return typeof type === "string" && !isTaken && `${at}.response_mime_type`;
    },
  },
  "google/candidate-count": {
    summary: "More than one candidate, up to 8, only on Gemini 2.5 or Vertex, and not in a stream.",
    repairSummary: "Ask for one candidate.",
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
  },
  "google/logprobs": {
    summary: "Log probabilities are switched off on the Gemini API, and since Gemini 3 on Vertex.",
    says: (_, input) =>
      isVertex(input)
        ? "Unable to submit request because Logprobs is not supported for this model."
        : "Logprobs is not enabled for this model",
    when: (input) => !isVertex(input) || input.model.thinking.kind !== "budget",
    find: ({ body }) =>
      field(configOf(body), "responseLogprobs") === true && `${at}.response_logprobs`,
    drops: ["generationConfig.responseLogprobs", "generationConfig.logprobs"],
  },
};
