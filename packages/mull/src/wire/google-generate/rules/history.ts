import type { JsonObject } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { asText, without } from "../../common/json-reading.ts";
import { fault, cheap, mapObjectsIn, type RuleTable } from "../../common/rules/define-rule.ts";
import { requiresSignatures, skipSignature } from "../client/generation.ts";
import { partKind } from "../client/parts.ts";
import {
  field,
  isVertex,
  type Located,
  mapContents,
  mapParts,
  partsOf,
  type Placed,
  runsOf,
  turnsOf,
} from "./view.ts";

const guide = "https://ai.google.dev/gemini-api/docs/thought-signatures";
const skipValues: ReadonlySet<string> = new Set([
  "",
  skipSignature,
  "context_engineering_is_the_way_to_go",
]);

const signatureOf = (part: JsonObject): string => asText(field(part, "thoughtSignature"));

/** First calls without a signature, in the steps since the last plain user turn. */
function unsignedCalls(input: RuleInput): readonly Located[] {
  const runs = runsOf(input);
  const start = runs.findLastIndex(
    ({ isModel, turns }) =>
      !isModel && turns.some(({ parts, results }) => parts.length > results.length),
  );
  return runs
    .slice(start + 1)
    .flatMap(({ isModel, calls: [call] }) =>
      isModel && call !== undefined && signatureOf(call.part) === "" ? [call] : [],
    );
}

const missingText = (input: RuleInput, name: string, position: number): string =>
  isVertex(input)
    ? `Unable to submit request because function call ${name} in the ${position}. content block is missing a thought_signature.`
    : "Function call is missing a thought_signature in functionCall parts. This is required for tools to " +
      "work correctly, and missing thought_signature may lead to degraded model performance. Additional " +
      `data, function call \`default_api:${name}\` , position ${position}. Please refer to ${guide} for more details.`;

const isAt = (places: readonly Placed[], turn: number, at: number): boolean =>
  places.some((place) => place.turn === turn && place.at === at);

const badSeals = (input: RuleInput): readonly Placed[] =>
  partsOf(input).filter(({ part, path }) => {
    const seal = signatureOf(part);
    if (skipValues.has(seal)) return false;
    return input.verifySeal?.(seal, path, "thoughtSignature") === "invalid";
  });

/** `{thoughtSignature}` alone becomes nothing: a part without data is refused. */
function withoutSeal(part: JsonObject): JsonObject | undefined {
  const rest = without(part, "thoughtSignature");
  if ("functionCall" in part) return { ...rest, thoughtSignature: skipSignature };
  return partKind(rest) === undefined ? undefined : rest;
}

/** No signature is good here: the first call of each turn gets the stand-in, the others none. */
const resign = (body: JsonObject): JsonObject =>
  mapContents(body, (content) => {
    let hasCall = content["role"] !== "model";
    const parts = mapObjectsIn(content["parts"], (part) => {
      if (hasCall) return without(part, "thoughtSignature");
      hasCall = "functionCall" in part;
      return withoutSeal(part);
    });
    return { ...content, parts };
  });

const isBase64 = (seal: string): boolean => seal.length % 4 === 0 && /^[\w+/-]+={0,2}$/.test(seal);

/** Thought signatures: there, genuine, and of Google's form. */
export const historyRules: RuleTable = {
  "google/thought-signature-missing": cheap({
    summary:
      "Gemini 3 and later want a signature on the first call of every step of the current turn, at every level.",
    repairSummary: "Put the documented skip value on the call.",
    refusal: /missing a thought[ _]?signature/i,
    refusesSeals: true,
    when: ({ model }) => requiresSignatures(model),
    fix: `Send the signature back on the part it came with, or ${skipSignature} if there is none.`,
    find: (input) =>
      unsignedCalls(input).map(({ turn, path, data }) =>
        fault(path, missingText(input, asText(data["name"]), turn + 1)),
      ),
    repair: (input, refused) => {
      const calls = unsignedCalls(input);
      return refused
        ? resign(input.body)
        : mapParts(input.body, (part, turn, at) =>
            isAt(calls, turn, at) ? { ...part, thoughtSignature: skipSignature } : part,
          );
    },
  }),
  "google/thought-signature-invalid": {
    summary: "A signature goes back byte for byte, to the backend that made it.",
    says: (_, input) =>
      isVertex(input)
        ? "Unable to submit request because Thought signature is not valid.."
        : "Corrupted thought signature.",
    repairSummary:
      "Put the documented skip value on calls, and take the signature off other parts.",
    refusal: /thought[ _]?signature/i,
    refusesSeals: true,
    find: (input) => badSeals(input).map(({ path }) => `${path}.thought_signature`),
    repair: (input, refused) => {
      const bad = badSeals(input);
      return refused
        ? resign(input.body)
        : mapParts(input.body, (part, turn, at) =>
            isAt(bad, turn, at) ? withoutSeal(part) : part,
          );
    },
  },
  "google/thought-signature-form": {
    severity: "warning",
    summary: "Google's signatures are base64; anything else was made by another vendor or damaged.",
    says: "This does not look like one of Google's signatures.",
    find: (input) =>
      partsOf(input).map(({ part, path }) => {
        const seal = signatureOf(part);
        return !skipValues.has(seal) && !isBase64(seal) && `${path}.thought_signature`;
      }),
  },
  "google/trailing-model-turn": cheap({
    summary: "From 3.5-flash-lite and 3.6 on, a request doesn't end with a turn of the model.",
    says: "Requests ending with a model turn are not supported unless the last part is a function response.",
    repairSummary: "Add a user turn that says: Continue.",
    refusal: /Requests ending with a model turn are not supported/,
    when: ({ model }) => model.noPrefill === true,
    find: (input) => {
      const last = turnsOf(input).at(-1);
      const isAnswered = last?.results.some(({ at }) => at === last.parts.length - 1);
      return last?.role === "model" && !isAnswered && `contents[${last.index}]`;
    },
    repair: ({ body }) => ({
      ...body,
      contents: [
        ...mapObjectsIn(body["contents"], (content) => content),
        { role: "user", parts: [{ text: "Continue." }] },
      ],
    }),
  }),
};
