import type { JsonObject } from "../../../types/json.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { mapObjectsIn } from "../../common/rule-view.ts";
import { requiresSignatures, skipSignature } from "../client/generation.ts";
import { textOf } from "../client/json-reading.ts";
import { partKind } from "../client/parts.ts";
import { pairingRules } from "./pairing.ts";
import {
  field,
  isVertex,
  lastTurnOf,
  type Located,
  makeRule,
  mapContents,
  mapParts,
  runsOf,
  turnsOf,
} from "./rule-kit.ts";

const guide = "https://ai.google.dev/gemini-api/docs/thought-signatures";
/** Values that stand for a signature and are not checked. */
const skipValues: ReadonlySet<string> = new Set([
  skipSignature,
  "context_engineering_is_the_way_to_go",
]);

const signatureOf = (part: JsonObject): string => textOf(field(part, "thoughtSignature"));

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

function missingText(input: RuleInput, name: string, position: number): string {
  return isVertex(input)
    ? `Unable to submit request because function call ${name} in the ${position}. content block is missing a thought_signature.`
    : "Function call is missing a thought_signature in functionCall parts. This is required for tools to " +
        "work correctly, and missing thought_signature may lead to degraded model performance. Additional " +
        `data, function call \`default_api:${name}\` , position ${position}. Please refer to ${guide} for more details.`;
}

const missingSignature = (): Rule =>
  makeRule({
    id: "google/thought-signature-missing",
    summary:
      "Gemini 3 and later want a signature on the first call of every step of the current turn, whatever the level.",
    preflight: true,
    check: (input) =>
      requiresSignatures(input.model)
        ? unsignedCalls(input).map(({ turn, at, data }) => ({
            path: `contents[${turn}].parts[${at}]`,
            message: missingText(input, textOf(data["name"]), turn + 1),
            fix: `Send the signature back on the part it came with, or ${skipSignature} where there is none.`,
          }))
        : [],
    repairSummary: "Puts the documented skip value on the call.",
    repair: (body, input) => {
      const places = new Map(unsignedCalls({ ...input, body }).map(({ turn, at }) => [turn, at]));
      return mapContents(body, (content, index) => {
        const place = places.get(index);
        return place === undefined
          ? content
          : mapParts(content, (part, at) =>
              at === place ? { ...part, thoughtSignature: skipSignature } : part,
            );
      });
    },
  });

interface BadSeal {
  readonly turn: number;
  readonly at: number;
}

function badSeals(input: RuleInput): readonly BadSeal[] {
  const { verifySeal } = input;
  if (verifySeal === undefined) return [];
  return turnsOf(input).flatMap(({ parts, index: turn }) =>
    parts.flatMap((part, at) => {
      const seal = signatureOf(part);
      if (seal === "" || skipValues.has(seal)) return [];
      const verdict = verifySeal(seal, `contents[${turn}].parts[${at}]`, "thoughtSignature");
      return verdict === "invalid" ? [{ turn, at }] : [];
    }),
  );
}

const badSignature = (): Rule =>
  makeRule({
    id: "google/thought-signature-invalid",
    summary: "A signature goes back byte for byte, to the backend that made it.",
    check: (input) =>
      badSeals(input).map(({ turn, at }) => ({
        path: `contents[${turn}].parts[${at}].thought_signature`,
        message: isVertex(input)
          ? "Unable to submit request because Thought signature is not valid.."
          : "Corrupted thought signature.",
      })),
    repairSummary:
      "Puts the documented skip value on calls and takes the signature off other parts.",
    repair: (body, input) => {
      const bad = badSeals({ ...input, body });
      return mapContents(body, (content, index) => {
        const isBad = (at: number): boolean =>
          bad.some((seal) => seal.turn === index && seal.at === at);
        return mapParts(content, (part, at) => (isBad(at) ? withoutSeal(part) : part));
      });
    },
  });

/** Of a part that was there for its signature alone nothing is left. */
function withoutSeal(part: JsonObject): JsonObject | undefined {
  const { thoughtSignature: _, ...rest } = part;
  if ("functionCall" in part) return { ...rest, thoughtSignature: skipSignature };
  return partKind(rest) === undefined ? undefined : rest;
}

const oddSignature = (): Rule =>
  makeRule({
    id: "google/thought-signature-form",
    severity: "warning",
    summary: "Google's signatures are base64; anything else was made by another vendor or damaged.",
    check: (input) =>
      turnsOf(input).flatMap(({ parts, index }) =>
        parts.flatMap((part, at) => {
          const seal = signatureOf(part);
          const isFine = seal === "" || skipValues.has(seal) || isBase64(seal);
          const path = `contents[${index}].parts[${at}].thought_signature`;
          return isFine
            ? []
            : [{ path, message: "This does not look like one of Google's signatures." }];
        }),
      ),
  });

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[\w+/-]+={0,2}$/.test(text);

const trailingModel = (): Rule =>
  makeRule({
    id: "google/trailing-model-turn",
    summary: "From 3.5-flash-lite and 3.6 on a request does not end with a turn of the model.",
    preflight: true,
    check: (input) => {
      const last = lastTurnOf(input);
      const isFine =
        last?.role !== "model" || last.results.some(({ at }) => at === last.parts.length - 1);
      return input.model.noPrefill !== true || isFine
        ? []
        : [
            {
              path: `contents[${last.index}]`,
              message:
                "Requests ending with a model turn are not supported unless the last part is a function response.",
            },
          ];
    },
    repairSummary: "Adds a user turn that says: Continue.",
    repair: (body) => ({
      ...body,
      contents: [
        ...mapObjectsIn(body["contents"], (content) => content),
        { role: "user", parts: [{ text: "Continue." }] },
      ],
    }),
  });

export const historyRules = (): readonly Rule[] => [
  missingSignature(),
  badSignature(),
  oddSignature(),
  ...pairingRules(),
  trailingModel(),
];
