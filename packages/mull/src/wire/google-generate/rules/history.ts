import type { JsonObject } from "../../../types/json.ts";
import type { Rule, RuleInput } from "../../../types/rule.ts";
import { findAll } from "../../rule-view.ts";
import { geminiGeneration, requiresSignatures, skipSignature } from "../generation.ts";
import { objectOf, objectsOf, textOf } from "../json-reading.ts";
import {
  field,
  isVertex,
  lastTurnOf,
  type Located,
  makeRule,
  mapContents,
  type Turn,
  turnsOf,
  withParts,
} from "./rule-kit.ts";

const guide = "https://ai.google.dev/gemini-api/docs/thought-signatures";
/** Values that stand for a signature and are not checked. */
const skipValues: ReadonlySet<string> = new Set([
  skipSignature,
  "context_engineering_is_the_way_to_go",
]);

const signatureOf = (part: JsonObject): string => textOf(field(part, "thoughtSignature"));

/** First calls without a signature, in the steps since the last plain user turn. */
function unsignedCalls(turns: readonly Turn[]): readonly { turn: Turn; call: Located }[] {
  const start = turns.findLastIndex(
    ({ role, parts, results }) => role !== "model" && parts.length > results.length,
  );
  return turns.slice(start + 1).flatMap((turn) => {
    const [call] = turn.role === "model" ? turn.calls : [];
    return call !== undefined && signatureOf(call.part) === "" ? [{ turn, call }] : [];
  });
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
        ? unsignedCalls(turnsOf(input)).map(({ turn, call }) => ({
            path: `contents[${turn.index}].parts[${call.at}]`,
            message: missingText(input, textOf(call.data["name"]), turn.index + 1),
            fix: `Send the signature back on the part it came with, or ${skipSignature} where there is none.`,
          }))
        : [],
    repairSummary: "Puts the documented skip value on the call.",
    repair: (body, input) => {
      const places = new Map(
        unsignedCalls(turnsOf({ ...input, body })).map(({ turn, call }) => [turn.index, call.at]),
      );
      return mapContents(body, (content, index) => {
        const at = places.get(index);
        return at === undefined ? content : signPart(content, at, skipSignature);
      });
    },
  });

const signPart = (content: JsonObject, at: number, thoughtSignature: string): JsonObject => {
  const parts = [...objectsOf(content["parts"])];
  parts[at] = { ...parts[at], thoughtSignature };
  return withParts(content, parts);
};

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
        const parts = objectsOf(content["parts"]);
        return withParts(
          content,
          parts.map((part, at) => (isBad(at) ? withoutSeal(part) : part)),
        );
      });
    },
  });

function withoutSeal(part: JsonObject): JsonObject {
  const { thoughtSignature: _, ...rest } = part;
  return "functionCall" in part ? { ...rest, thoughtSignature: skipSignature } : rest;
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

/** Results in the user turns that directly follow. */
function answersTo(turns: readonly Turn[], index: number): readonly Located[] {
  let found: readonly Located[] = [];
  let at = index + 1;
  for (let turn = turns[at]; turn !== undefined && turn.role !== "model"; turn = turns[++at]) {
    found = found.length === 0 ? turn.results : [...found, ...turn.results];
  }
  return found;
}

const responseCount = (): Rule =>
  makeRule({
    id: "google/function-response-count",
    summary:
      "A turn of function calls is answered by as many function responses, in the next turn.",
    preflight: true,
    check: (input) => {
      const turns = turnsOf(input);
      return findAll(turns, ({ role, calls, index }) => {
        const isOpen = role !== "model" || calls.length === 0 || index === turns.length - 1;
        return isOpen || answersTo(turns, index).length === calls.length
          ? []
          : [
              {
                path: `contents[${index + 1}]`,
                message:
                  "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
              },
            ];
      });
    },
  });

const callOrder = (): Rule =>
  makeRule({
    id: "google/function-call-order",
    summary: "A turn of function calls stands directly behind a user turn or a turn of responses.",
    preflight: true,
    check: (input) => {
      const turns = turnsOf(input);
      return findAll(turns, ({ role, calls, index }) => {
        const before = turns[index - 1];
        const isFine = role !== "model" || calls.length === 0;
        return isFine || (before !== undefined && before.role !== "model")
          ? []
          : [
              {
                path: `contents[${index}]`,
                message:
                  "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
              },
            ];
      });
    },
    repairSummary: "Joins neighbouring turns of the model.",
    repair: (body) => ({ ...body, contents: joinNeighbours(objectsOf(body["contents"])) }),
  });

function joinNeighbours(contents: readonly JsonObject[]): readonly JsonObject[] {
  const joined: JsonObject[] = [];
  for (const content of contents) {
    const last = joined.at(-1);
    if (last !== undefined && last["role"] === "model" && content["role"] === "model") {
      const parts = [...objectsOf(last["parts"]), ...objectsOf(content["parts"])];
      joined[joined.length - 1] = { ...last, parts };
    } else joined.push(content);
  }
  return joined;
}

/** Turns of responses that follow no call. */
function orphanTurns(turns: readonly Turn[]): readonly number[] {
  const orphans: number[] = [];
  let isAnswering = false;
  for (const { role, calls, results, index } of turns) {
    if (role === "model") isAnswering = calls.length > 0;
    else if (results.length === 0) isAnswering = false;
    else if (!isAnswering) orphans.push(index);
  }
  return orphans;
}

/** A turn of responses as a turn of text. */
const withWords = (content: JsonObject): JsonObject => ({
  role: "user",
  parts: objectsOf(content["parts"]).map((part) => ({
    text: JSON.stringify(objectOf(part["functionResponse"])["response"] ?? {}),
  })),
});

const responseOrder = (): Rule =>
  makeRule({
    id: "google/function-response-order",
    summary: "A turn of function responses stands directly behind the turn that called.",
    preflight: true,
    check: (input) =>
      orphanTurns(turnsOf(input)).map((index) => ({
        path: `contents[${index}]`,
        message:
          "Please ensure that function response turn comes immediately after a function call turn.",
      })),
    repairSummary:
      "Drops responses that answer no call; where there is nothing else, they go as text.",
    repair: (body, input) => {
      const orphans = new Set(orphanTurns(turnsOf({ ...input, body })));
      const contents = objectsOf(body["contents"]);
      const left = contents.flatMap((content, index) => {
        if (!orphans.has(index)) return [content];
        const parts = objectsOf(content["parts"]).filter((part) => !("functionResponse" in part));
        return parts.length > 0 ? [withParts(content, parts)] : [];
      });
      return { ...body, contents: left.length > 0 ? left : contents.map(withWords) };
    },
  });

const idsMatch = (): Rule =>
  makeRule({
    id: "google/function-response-id",
    summary: "Gemini 3 and later want the id of a call back on its response.",
    preflight: true,
    check: (input) => {
      if (geminiGeneration(input.model) < 3) return [];
      const turns = turnsOf(input);
      return findAll(turns, ({ calls, index }) => {
        if (calls.length === 0) return [];
        const ids = new Set(calls.map(({ data }) => textOf(data["id"])));
        if (ids.has("")) return [];
        return findAll(answersTo(turns, index), ({ data, at }) => {
          const id = textOf(data["id"]);
          if (id === "" || ids.has(id)) return [];
          const path = `contents[${index + 1}].parts[${at}].function_response.id`;
          return [{ path, message: "functionResponse.id does not match functionCall.id" }];
        });
      });
    },
  });

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
      contents: [...objectsOf(body["contents"]), { role: "user", parts: [{ text: "Continue." }] }],
    }),
  });

export const historyRules = (): readonly Rule[] => [
  missingSignature(),
  badSignature(),
  oddSignature(),
  responseCount(),
  callOrder(),
  responseOrder(),
  idsMatch(),
  trailingModel(),
];
