import type { JsonObject } from "../../types/json.ts";
import type { HealCase } from "./heal-case.ts";

const config = (thinkingConfig: JsonObject): JsonObject => ({
  generationConfig: { thinkingConfig },
});
const skip = "skip_thought_signature_validator";
const call = (name: string): JsonObject => ({ functionCall: { name } });

const row = (
  rule: string,
  says: string,
  body: JsonObject,
  becomes: JsonObject,
  model = "gemini-3.8-flash",
): HealCase => ({ rule, says, model, body, becomes });

const asked = { role: "user", parts: [{ text: "hi" }] };

export const googleCases: readonly HealCase[] = [
  row(
    "google/thought-signature-missing",
    "Function call is missing a thought_signature in functionCall parts.",
    {
      contents: [
        asked,
        {
          role: "model",
          parts: [
            { text: "x", thoughtSignature: "foreign" },
            { ...call("f"), thought_signature: "foreign" },
            call("g"),
          ],
        },
      ],
    },
    {
      contents: [
        asked,
        {
          role: "model",
          parts: [{ text: "x" }, { ...call("f"), thoughtSignature: skip }, call("g")],
        },
      ],
    },
  ),
  row(
    "google/thought-signature-invalid",
    "Thought signature is not valid.",
    { contents: [{ role: "model", parts: [{ text: "x", thoughtSignature: "bad" }] }] },
    { contents: [{ role: "model", parts: [{ text: "x" }] }] },
  ),
  row(
    "google/level-or-budget",
    "You can only set only one of thinking budget and thinking level.",
    config({ thinkingLevel: "LOW", thinkingBudget: 1 }),
    config({ thinkingLevel: "LOW" }),
  ),
  row(
    "google/level-not-offered",
    "'minimal' is not a supported thinking level for this model. Allowed values are: low, high.",
    config({ thinkingLevel: "MINIMAL" }),
    config({ thinkingLevel: "LOW" }),
  ),
  row(
    "google/level-not-offered",
    "Thinking level MEDIUM is not supported for this model. Please retry with other thinking level.",
    config({ thinkingLevel: "MEDIUM" }),
    config({ thinkingLevel: "LOW" }),
  ),
  row(
    "google/level-on-budget-model",
    "Thinking level is not supported for this model.",
    config({ thinkingLevel: "LOW" }),
    {},
    "gemini-2.5-pro",
  ),
  row(
    "google/budget-range",
    "The thinking budget (52428) is invalid. Please choose a value between 128 and 32768.",
    config({ thinkingBudget: 52_428 }),
    config({ thinkingBudget: 32_768 }),
    "gemini-2.5-pro",
  ),
  row(
    "google/budget-range",
    "The thinking budget 7 is invalid",
    config({ thinkingBudget: 7, includeThoughts: true }),
    config({ includeThoughts: true }),
    "gemini-2.5-pro",
  ),
  row(
    "google/budget-range",
    "Budget 0 is invalid. This model only works in thinking mode.",
    config({ thinkingBudget: 0 }),
    config({ thinkingBudget: 128 }),
    "gemini-2.5-pro",
  ),
  row(
    "google/budget-range",
    "Budget 0 is invalid. This model only works in thinking mode.",
    config({ thinkingBudget: 0, includeThoughts: true }),
    config({ includeThoughts: true }),
  ),
  row(
    "google/thoughts-while-off",
    "Thinking_config.include_thoughts is only enabled when thinking is enabled.",
    config({ thinkingBudget: 0, includeThoughts: true }),
    config({ thinkingBudget: 0 }),
    "gemini-2.5-flash",
  ),
  row(
    "google/thinking-not-enabled",
    "Thinking is not enabled for models/gemini-2.0-flash",
    config({ thinkingBudget: 5 }),
    {},
    "gemini-2.0-flash",
  ),
  row(
    "google/call-id-on-vertex",
    `Invalid JSON payload received. Unknown name "id" at 'contents[1].parts[0].function_call': Cannot find field.`,
    { contents: [asked, { role: "model", parts: [{ functionCall: { name: "f", id: "1" } }] }] },
    { contents: [asked, { role: "model", parts: [call("f")] }] },
  ),
  row(
    "google/trailing-model-turn",
    "Requests ending with a model turn are not supported.",
    { contents: [asked, { role: "model", parts: [{ text: "x" }] }] },
    {
      contents: [
        asked,
        { role: "model", parts: [{ text: "x" }] },
        { role: "user", parts: [{ text: "Continue." }] },
      ],
    },
  ),
];
