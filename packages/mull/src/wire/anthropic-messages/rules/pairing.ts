import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import { fitCallName } from "../../common/call-name.ts";
import { quoteContent } from "../../common/quoted-result.ts";
import { callsBehindText } from "../client/messages.ts";
import { asObject, asText } from "../../common/json-reading.ts";
import {
  fault,
  fitId,
  pathOf,
  type RuleDraft,
  type RuleFound,
  type RuleTable,
} from "../../common/rules/define-rule.ts";
import { toolName } from "./shape.ts";
import {
  faultAt,
  atPath,
  messagesOf,
  blocksOf,
  turnsOf,
  mapBlocks,
  type ViewedBlock,
  type ViewedMessage,
  type TurnOfBlocks,
} from "./view.ts";

const idOf = ({ block }: ViewedBlock): string => asText(block["id"]);
const resultIdOf = ({ block }: ViewedBlock): string => asText(block["tool_use_id"]);
const isCall = ({ type }: ViewedBlock): boolean => type === "tool_use";
const isResult = ({ type }: ViewedBlock): boolean => type === "tool_result";

/** Results count only at the start of the turn after the calls. */
const leadingResults = (turn: TurnOfBlocks | undefined): ReadonlySet<string> => {
  if (turn?.role !== "user") return new Set();
  const end = turn.blocks.findIndex((block) => !isResult(block));
  return new Set((end < 0 ? turn.blocks : turn.blocks.slice(0, end)).map(resultIdOf));
};

const callsOf = (turn: TurnOfBlocks | undefined): ReadonlySet<string> =>
  new Set(turn?.role === "assistant" ? turn.blocks.filter(isCall).map(idOf) : []);

/** Calls that text follows directly: it stands where their results should. */
const interrupted = ({ blocks }: TurnOfBlocks): ReadonlySet<string> => {
  const ids = new Set<string>();
  let pending: string[] = [];
  for (const viewed of blocks) {
    if (viewed.type === "text") for (const id of pending) ids.add(id);
    if (isCall(viewed)) pending.push(idOf(viewed));
    else pending = [];
  }
  return ids;
};

/** Calls that the next turn doesn't answer at its start. */
function openCalls(turn: TurnOfBlocks, next: TurnOfBlocks | undefined): readonly string[] {
  const calls = callsOf(turn);
  if (calls.size === 0) return [];
  const answered = leadingResults(next);
  const cut = interrupted(turn);
  return [...calls].filter((id) => !answered.has(id) || cut.has(id));
}

function unanswered(body: JsonObject): RuleFound {
  const turns = turnsOf(body);
  // The service puts an empty user message before a conversation that begins without one.
  const shift = turns[0]?.role === "assistant" ? 1 : 0;
  return turns.flatMap((turn, at) => {
    const missing = openCalls(turn, turns[at + 1]);
    const { path } = turn.last;
    const where = path.replace(/\d+/, (index) => String(Number(index) + shift));
    return (
      missing.length > 0 &&
      fault(
        path,
        `${where}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      )
    );
  });
}

const orphans = (body: JsonObject): readonly ViewedBlock[] => {
  const turns = turnsOf(body);
  return turns.flatMap((turn, at) => {
    const results = turn.blocks.filter(isResult);
    if (results.length === 0) return [];
    const calls = callsOf(turns[at - 1]);
    return results.filter((block) => !calls.has(resultIdOf(block)));
  });
};

const repeated = (body: JsonObject): readonly ViewedBlock[] =>
  turnsOf(body).flatMap(({ blocks }) => {
    const seen = new Set<string>();
    return blocks.filter((viewed) => {
      const before = seen.size;
      return isResult(viewed) && seen.add(resultIdOf(viewed)).size === before;
    });
  });

/** The blocks that answer the calls of a turn, wherever they stand before the next answer. */
function resultsFor(turns: readonly TurnOfBlocks[], at: number): readonly JsonObject[] {
  const calls = [...callsOf(turns[at])];
  const later = turns.slice(at + 1);
  const next = later.findIndex(({ role }) => role === "assistant");
  const results = later
    .slice(0, next < 0 ? later.length : next)
    .flatMap(({ blocks }) => blocks.filter(isResult));
  const found = calls.flatMap((id) => results.find((result) => resultIdOf(result) === id) ?? []);
  const have = new Set(found.map(resultIdOf));
  return [
    ...found.toSorted((a, b) => results.indexOf(a) - results.indexOf(b)).map(({ block }) => block),
    ...failures(calls.filter((id) => !have.has(id))),
  ];
}

/** Puts results at the start of the turn after their calls; calls without a result get an error result. */
function answerAll(body: JsonObject): JsonObject {
  const turns = turnsOf(body);
  const answers = turns.map((turn, at) =>
    openCalls(turn, turns[at + 1]).length > 0 ? resultsFor(turns, at) : [],
  );
  const moved = new Set<JsonValue>(answers.flat());
  const messages = turns.flatMap((turn, at): readonly JsonValue[] => {
    const results = answers[at]!;
    const before = answers[at - 1] ?? [];
    const isCut = results.length > 0 && interrupted(turn).size > 0;
    const rest = turn.messages.flatMap(({ entries }) =>
      entries.filter((entry) => !moved.has(entry)),
    );
    if (isCut) callsBehindText(rest);
    const own =
      turn.role === "user" && before.length > 0
        ? [{ role: "user", content: [...before, ...rest] }]
        : isCut
          ? [{ role: turn.role, content: rest }]
          : turn.messages.flatMap((message) => withoutEntries(message, moved));
    const isAnswered = results.length === 0 || turns[at + 1]?.role === "user";
    return isAnswered ? own : [...own, { role: "user", content: results }];
  });
  return { ...body, messages };
}

function withoutEntries(
  { raw, message, entries }: ViewedMessage,
  moved: ReadonlySet<JsonValue>,
): readonly JsonValue[] {
  if (!entries.some((entry) => moved.has(entry))) return [raw];
  const content = entries.filter((entry) => !moved.has(entry));
  return content.length === 0 ? [] : [{ ...message, content }];
}

const typeOf = (entry: JsonValue): JsonValue | undefined => asObject(entry)["type"];

/** The results at these paths become quoted text, after the other results of their message. */
function quoteResults(body: JsonObject, paths: ReadonlySet<string>): JsonObject {
  const names = new Map(
    blocksOf(body)
      .filter(isCall)
      .map((call) => [idOf(call), asText(call.block["name"])]),
  );
  const changed = mapBlocks(body, (viewed) =>
    paths.has(viewed.path) ? quoted(viewed, names) : viewed.block,
  );
  const places = new Set([...paths].map((path) => path.replace(/\.content\..*/, "")));
  const messages = messagesOf(changed).map(({ path, raw, message, entries }) =>
    places.has(path) ? { ...message, content: entries.toSorted(resultsFirst) } : raw,
  );
  return { ...changed, messages };
}

/** Finds results that the service refuses, and quotes them. */
const quotingResults = (
  refused: (body: JsonObject) => readonly ViewedBlock[],
  wordsOf: (id: string) => string,
): Pick<RuleDraft, "find" | "repair"> => ({
  find: ({ body }) =>
    refused(body).map((viewed) => faultAt(viewed.path, wordsOf(resultIdOf(viewed)))),
  repair: ({ body }) => quoteResults(body, new Set(refused(body).map(({ path }) => path))),
});

const resultsFirst = (a: JsonValue, b: JsonValue): number =>
  Number(typeOf(b) === "tool_result") - Number(typeOf(a) === "tool_result");

function quoted(viewed: ViewedBlock, names: ReadonlyMap<string, string>): readonly JsonObject[] {
  const { content, is_error: failed } = viewed.block;
  const callId = resultIdOf(viewed);
  const tool = { name: names.get(callId), callId, failed: failed === true };
  return quoteContent(tool, content, "text", (part) => {
    if (part["type"] === "image" || part["type"] === "document") return undefined;
    return typeof part["text"] === "string" ? part["text"] : JSON.stringify(part);
  });
}

const failures = (ids: readonly string[]): readonly JsonObject[] =>
  ids.map((id) => ({
    type: "tool_result",
    tool_use_id: id,
    content: "The call was not answered.",
    is_error: true,
  }));

const idPattern = /^[a-zA-Z0-9_-]+$/;
const longestId = 64;

const idFields: ReadonlyMap<string, string> = new Map([
  ["tool_use", "id"],
  ["tool_result", "tool_use_id"],
]);

/** The field of a call or a result whose id is refused. */
const oddIdField = ({ type, block }: ViewedBlock): string | undefined => {
  const field = idFields.get(type);
  return field === undefined || idPattern.test(asText(block[field])) ? undefined : field;
};

const hasOddName = (viewed: ViewedBlock): boolean => {
  const { name } = viewed.block;
  return isCall(viewed) && typeof name === "string" && !toolName.test(name);
};

const hasOddInput = (viewed: ViewedBlock): boolean =>
  isCall(viewed) && !isJsonObject(viewed.block["input"]);

const isEmptyError = ({ type, block }: ViewedBlock): boolean =>
  type === "tool_result" && block["is_error"] === true && isBlank(block["content"]);

const isBlank = (content: unknown): boolean =>
  content == null || content === "" || (Array.isArray(content) && content.length === 0);

export const pairingRules: RuleTable = {
  "anthropic/tool-result-missing": {
    summary: "Every tool call is answered at the start of the next user message.",
    repairSummary:
      "Put each result directly after its call, and give calls without a result an error result.",
    find: ({ body }) => unanswered(body),
    repair: ({ body }) => answerAll(body),
  },
  "anthropic/tool-result-orphan": {
    summary: "Every tool result answers a call of the message before it.",
    repairSummary: "Send results without a call as quoted text.",
    ...quotingResults(
      orphans,
      (id) =>
        `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    ),
  },
  "anthropic/tool-result-twice": {
    summary: "A call has one result. The same id may come again with a call and result of its own.",
    repairSummary: "Keep the first result of a call, and send the others as quoted text.",
    ...quotingResults(
      repeated,
      (id) =>
        `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
    ),
  },
  "anthropic/tool-ids": {
    summary: "Ids of tool calls are made of letters, digits, `_` and `-`.",
    says: atPath("String should match pattern '^[a-zA-Z0-9_-]+$'"),
    repairSummary: "Write another id, the same on the call and on its result.",
    refusal: /tool_use(?:\.id|_id): String should match pattern/,
    find: ({ body }) =>
      blocksOf(body).map((viewed) => {
        const field = oddIdField(viewed);
        return field !== undefined && `${viewed.path}.${viewed.type}.${field}`;
      }),
    repair: ({ body }) =>
      mapBlocks(body, (viewed) => {
        const { block } = viewed;
        const field = oddIdField(viewed);
        return field === undefined
          ? block
          : { ...block, [field]: fitId(asText(block[field]), longestId) };
      }),
  },
  "anthropic/tool-use-names": {
    summary: "Names of tool calls have at most 128 letters, digits, `_` and `-`.",
    says: atPath("String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"),
    repairSummary: "Replace other characters of the name by `_`.",
    refusal: /tool_use\.name: String should match pattern/,
    find: ({ body }) =>
      blocksOf(body).map((call) => hasOddName(call) && `${call.path}.tool_use.name`),
    repair: ({ body }) =>
      mapBlocks(body, (viewed) =>
        hasOddName(viewed)
          ? { ...viewed.block, name: fitCallName(asText(viewed.block["name"])) }
          : viewed.block,
      ),
  },
  "anthropic/tool-input": {
    summary: "The input of a tool call is an object.",
    says: atPath("Input should be a valid dictionary"),
    repairSummary: "Wrap the input in an object.",
    find: ({ body }) =>
      blocksOf(body).map((call) => hasOddInput(call) && `${call.path}.tool_use.input`),
    repair: ({ body }) =>
      mapBlocks(body, (viewed) => {
        const { input } = viewed.block;
        if (!hasOddInput(viewed)) return viewed.block;
        return { ...viewed.block, input: input === undefined ? {} : { input } };
      }),
  },
  "anthropic/tool-error-text": {
    summary: "A failed tool result has text.",
    says: (path) => `${path}.tool_result: content cannot be empty if \`is_error\` is true`,
    repairSummary: "Give the result some text.",
    find: ({ body }) => blocksOf(body).filter(isEmptyError).map(pathOf),
    repair: ({ body }) =>
      mapBlocks(body, (viewed) =>
        isEmptyError(viewed) ? { ...viewed.block, content: "The tool failed." } : viewed.block,
      ),
  },
};
