import type { JsonObject, JsonValue } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { quoteResult } from "../../common/quoted-result.ts";
import { geminiGeneration } from "../client/generation.ts";
import { asObject, asText } from "../../common/json-reading.ts";
import { cheap, mapObjectsIn, type RuleTable } from "../../common/rules/define-rule.ts";
import { objectsOf } from "../client/json-reading.ts";
import { runsOf, mapContents, type Located, type RunOfParts } from "./view.ts";

const callsBefore = (runs: readonly RunOfParts[], at: number): readonly Located[] =>
  runs[at - 1]?.isModel === true ? runs[at - 1]!.calls : [];

/** Contents whose results follow no call, or follow words that came in between. */
function orphanTurns({ turns }: RunOfParts, hasCalls: boolean): readonly number[] {
  const orphans: number[] = [];
  let isAnswering = hasCalls;
  for (const { results, index } of turns) {
    if (results.length === 0) isAnswering = false;
    else if (!isAnswering) orphans.push(index);
  }
  return orphans;
}

/** Puts one response directly after each call. Responses without a call become quoted text, so nothing that a tool returned is lost. */
function pairUp(input: RuleInput): JsonObject {
  const { body } = input;
  const runs = runsOf(input);
  const rewritten = new Map<number, JsonObject | undefined>();
  const contents = objectsOf(body["contents"]);
  runs.forEach((run, at) => {
    const calls = callsBefore(runs, at);
    const isPaired =
      run.isModel ||
      (orphanTurns(run, calls.length > 0).length === 0 && run.results.length === calls.length);
    if (isPaired) return;
    const { answers, left } = matchResults(calls, run.results);
    const rest = run.turns.flatMap(({ index }) =>
      mapObjectsIn(contents[index]?.["parts"], (part) =>
        answers.includes(part) ? undefined : left.has(part) ? quoted(part) : part,
      ),
    );
    for (const { index } of run.turns) rewritten.set(index, undefined);
    rewritten.set(run.turns[0]!.index, { role: "user", parts: [...answers, ...rest] });
  });
  return mapContents(body, (content, index) =>
    rewritten.has(index) ? rewritten.get(index) : content,
  );
}

/** One response for each call, by id, else by name; and the responses that are left. */
function matchResults(
  calls: readonly Located[],
  results: readonly Located[],
): { readonly answers: readonly JsonObject[]; readonly left: ReadonlySet<JsonObject> } {
  const left = new Set(results);
  const take = (isMeant: (result: Located) => boolean): JsonObject | undefined => {
    const found = [...left].find(isMeant);
    if (found !== undefined) left.delete(found);
    return found?.part;
  };
  const byId = calls.map(({ data: { id } }) =>
    asText(id) === "" ? undefined : take(({ data }) => data["id"] === id),
  );
  const answers = calls.map(
    ({ data }, at) =>
      byId[at] ?? take((result) => result.data["name"] === data["name"]) ?? unanswered(data),
  );
  return { answers, left: new Set([...left].map(({ part }) => part)) };
}

const unanswered = ({ id, name }: JsonObject): JsonObject => ({
  functionResponse: {
    ...(id !== undefined && { id }),
    name: name ?? "",
    response: { error: "The call was not answered." },
  },
});

function quoted(part: JsonObject): readonly JsonObject[] {
  const { name, id, response, parts } = asObject(part["functionResponse"]);
  const said = asObject(response);
  const tool = { name: asText(name), callId: asText(id), failed: "error" in said };
  return [{ text: quoteResult(tool, wordsOf(said)) }, ...objectsOf(parts)];
}

const wordsOf = (response: JsonObject): string => {
  const entries = Object.entries(response);
  const only = entries.length === 1 ? entries[0]![1] : undefined;
  return typeof only === "string"
    ? only
    : entries.map(([key, value]) => `${key}: ${inWords(value)}`).join("\n");
};

const inWords = (value: JsonValue | undefined): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** Responses with an id that no call of the turn before them has. */
const strangers = (input: RuleInput): readonly Located[] => {
  const runs = runsOf(input);
  return runs.flatMap(({ isModel, results }, at) => {
    const calls = callsBefore(runs, at);
    if (isModel || results.length === 0 || calls.length === 0) return [];
    const ids = new Set(calls.map(({ data }) => asText(data["id"])));
    if (ids.has("")) return [];
    return results.filter(({ data }) => {
      const id = asText(data["id"]);
      return id !== "" && !ids.has(id);
    });
  });
};

export const pairingRules: RuleTable = {
  "google/function-response-count": cheap({
    summary:
      "A turn of function calls is answered by as many function responses, in the next turn.",
    says: "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    repairSummary: "Say that the call was not answered, or send the extra response as quoted text.",
    find: (input) =>
      runsOf(input).map(({ isModel, calls }, at, runs) => {
        const next = runs[at + 1];
        const isAsked = isModel && calls.length > 0 && next !== undefined;
        return (
          isAsked && next.results.length !== calls.length && `contents[${next.turns[0]!.index}]`
        );
      }),
    repair: pairUp,
  }),
  "google/function-call-order": cheap({
    summary: "A conversation doesn't start with function calls: a user turn comes first.",
    says: "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
    repairSummary: "Add a user turn that says that the beginning is left out.",
    find: (input) => {
      const [first] = runsOf(input);
      const call = first?.isModel && first.calls[0];
      return call && `contents[${call.turn}]`;
    },
    repair: ({ body }) => ({
      ...body,
      contents: [
        { role: "user", parts: [{ text: "[The beginning of this conversation is left out.]" }] },
        ...mapObjectsIn(body["contents"], (content) => content),
      ],
    }),
  }),
  "google/function-response-order": cheap({
    summary: "A turn of function responses comes directly after the turn with the calls.",
    says: "Please ensure that function response turn comes immediately after a function call turn.",
    repairSummary:
      "Put each response directly after its call, and send responses without a call as quoted text.",
    find: (input) =>
      runsOf(input).map(
        (run, at, runs) =>
          !run.isModel &&
          orphanTurns(run, callsBefore(runs, at).length > 0).map((index) => `contents[${index}]`),
      ),
    repair: pairUp,
  }),
  "google/function-response-id": cheap({
    summary: "Gemini 3 and later want the id of a call back on its response.",
    says: "functionResponse.id does not match functionCall.id",
    when: ({ model }) => geminiGeneration(model) >= 3,
    find: (input) => strangers(input).map(({ path }) => `${path}.function_response.id`),
  }),
};
