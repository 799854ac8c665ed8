import type { JsonObject, JsonValue } from "../../../types/json.ts";
import type { Rule } from "../../../types/rule.ts";
import { asText } from "../parts.ts";
import {
  blocksOf,
  defineRule,
  faultIf,
  mapBlocks,
  messagesOf,
  turnsOf,
  type Fault,
  type Turn,
  type ViewedBlock,
} from "./request-view.ts";

const idOf = ({ block }: ViewedBlock): string => asText(block["id"]);
const resultIdOf = ({ block }: ViewedBlock): string => asText(block["tool_use_id"]);
const isCall = ({ type }: ViewedBlock): boolean => type === "tool_use";
const isResult = ({ type }: ViewedBlock): boolean => type === "tool_result";

/** Results count only where they open the turn behind the calls. */
const leadingResults = (turn: Turn | undefined): ReadonlySet<string> => {
  if (turn?.role !== "user") return new Set();
  const end = turn.blocks.findIndex((block) => !isResult(block));
  return new Set((end < 0 ? turn.blocks : turn.blocks.slice(0, end)).map(resultIdOf));
};

const callsOf = (turn: Turn | undefined): ReadonlySet<string> =>
  new Set(turn?.role === "assistant" ? turn.blocks.filter(isCall).map(idOf) : []);

/** Text directly behind calls stands where their results should. */
const interrupted = ({ blocks }: Turn): ReadonlySet<string> => {
  const ids = new Set<string>();
  let pending: string[] = [];
  for (const viewed of blocks) {
    if (viewed.type === "text") for (const id of pending) ids.add(id);
    pending = isCall(viewed) ? [...pending, idOf(viewed)] : [];
  }
  return ids;
};

function unanswered(body: JsonObject): readonly Fault[] {
  const turns = turnsOf(body);
  // The service puts an empty user message before a conversation that begins without one.
  const shift = turns[0]?.role === "assistant" ? 1 : 0;
  return turns.flatMap((turn, at) => {
    const calls = callsOf(turn);
    if (calls.size === 0) return [];
    const answered = leadingResults(turns[at + 1]);
    const cut = interrupted(turn);
    const missing = [...calls].filter((id) => !answered.has(id) || cut.has(id));
    const { path } = turn.last;
    const where = path.replace(/\d+/, (index) => String(Number(index) + shift));
    return faultIf(
      missing.length > 0,
      path,
      `${where}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
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

/** Blocks of text are refused without any. */
const wordsOf = (content: JsonValue | undefined): string =>
  (typeof content === "string" ? content : JSON.stringify(content ?? null)) || "(nothing)";

/** Puts results first in the turn behind their calls, and an error result where there is none. */
function answerAll(body: JsonObject): JsonObject {
  const messages: JsonObject[] = [];
  const turns = turnsOf(body);
  turns.forEach((turn, at) => {
    const asked = callsOf(turns[at - 1]);
    if (turn.role === "user" && asked.size > 0) {
      const results = turn.blocks.filter(isResult);
      const have = new Set(results.map(resultIdOf));
      messages.push({
        role: "user",
        content: [
          ...results.map(({ block }) => block),
          ...failures([...asked].filter((id) => !have.has(id))),
          ...turn.blocks.filter((block) => !isResult(block)).map(({ block }) => block),
        ],
      });
    } else messages.push({ role: turn.role, content: textFirst(turn).map(({ block }) => block) });
    const calls = [...callsOf(turn)];
    if (calls.length > 0 && turns[at + 1]?.role !== "user") {
      messages.push({ role: "user", content: failures(calls) });
    }
  });
  return { ...body, messages };
}

/** Calls behind the text that follows them; nothing moves across a thought. */
const textFirst = (turn: Turn): readonly ViewedBlock[] => {
  const ordered = [...turn.blocks];
  for (let at = 1; at < ordered.length; at++) {
    let to = at;
    while (ordered[at]?.type === "text" && ordered[to - 1]?.type === "tool_use") to--;
    if (to < at) ordered.splice(to, 0, ...ordered.splice(at, 1));
  }
  return ordered;
};

const failures = (ids: readonly string[]): readonly JsonObject[] =>
  ids.map((id) => ({
    type: "tool_result",
    tool_use_id: id,
    content: "The call was not answered.",
    is_error: true,
  }));

const idPattern = /^[a-zA-Z0-9_-]+$/;

const isEmptyError = ({ type, block }: ViewedBlock): boolean =>
  type === "tool_result" && block["is_error"] === true && isBlank(block["content"]);

const isBlank = (content: unknown): boolean =>
  content == null || content === "" || (Array.isArray(content) && content.length === 0);

export const pairingRules = (): readonly Rule[] => [
  defineRule({
    id: "anthropic/tool-result-missing",
    summary: "Every tool call is answered at the start of the next user message.",
    repairSummary: "moves results behind their calls and answers the rest with an error",
    find: ({ body }) => unanswered(body),
    repair: ({ body }) => answerAll(body),
  }),
  defineRule({
    id: "anthropic/tool-result-orphan",
    summary: "Every tool result answers a call of the message before it.",
    repairSummary: "removes results without a call; where there is nothing else, they go as text",
    find: ({ body }) =>
      orphans(body).map((viewed) => ({
        path: viewed.path,
        message: `${viewed.path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${resultIdOf(viewed)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      })),
    repair: ({ body }) => {
      const paths = new Set(orphans(body).map(({ path }) => path));
      const isAll = blocksOf(body).every(({ path }) => paths.has(path));
      return mapBlocks(body, ({ path, block }) => {
        if (!paths.has(path)) return block;
        return isAll ? { type: "text", text: wordsOf(block["content"]) } : undefined;
      });
    },
  }),
  defineRule({
    id: "anthropic/tool-result-twice",
    summary: "A call has one result.",
    repairSummary: "keeps the first result of a call",
    find: ({ body }) => {
      const seen = new Set<string>();
      return blocksOf(body)
        .filter(isResult)
        .flatMap((viewed) => {
          const id = resultIdOf(viewed);
          const isSecond = seen.has(id);
          seen.add(id);
          return faultIf(
            isSecond,
            viewed.path,
            `${viewed.path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
          );
        });
    },
    repair: ({ body }) => {
      const seen = new Set<string>();
      return mapBlocks(body, (viewed) => {
        if (!isResult(viewed)) return viewed.block;
        const id = resultIdOf(viewed);
        if (seen.has(id)) return undefined;
        seen.add(id);
        return viewed.block;
      });
    },
  }),
  defineRule({
    id: "anthropic/tool-ids",
    summary: "Ids of tool calls are made of letters, digits, `_` and `-`.",
    find: ({ body }) =>
      blocksOf(body)
        .filter((viewed) => isCall(viewed) && !idPattern.test(idOf(viewed)))
        .map(({ path }) => ({
          path: `${path}.tool_use.id`,
          message: `${path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`,
        })),
  }),
  defineRule({
    id: "anthropic/tool-input",
    summary: "The input of a tool call is an object.",
    repairSummary: "wraps the input in an object",
    find: ({ body }) =>
      blocksOf(body)
        .filter((viewed) => isCall(viewed) && !isDictionary(viewed.block["input"]))
        .map(({ path }) => ({
          path: `${path}.tool_use.input`,
          message: `${path}.tool_use.input: Input should be a valid dictionary`,
        })),
    repair: ({ body }) =>
      mapBlocks(body, (viewed) => {
        const { input = {} } = viewed.block;
        if (!isCall(viewed) || isDictionary(viewed.block["input"])) return viewed.block;
        return { ...viewed.block, input: isDictionary(input) ? input : { input } };
      }),
  }),
  defineRule({
    id: "anthropic/tool-error-text",
    summary: "A failed tool result says something.",
    repairSummary: "gives the result a text",
    find: ({ body }) =>
      messagesOf(body)
        .flatMap(({ blocks }) => blocks.filter(isEmptyError))
        .map(({ path }) => ({
          path,
          message: `${path}.tool_result: content cannot be empty if \`is_error\` is true`,
        })),
    repair: ({ body }) =>
      mapBlocks(body, (viewed) =>
        isEmptyError(viewed) ? { ...viewed.block, content: "The tool failed." } : viewed.block,
      ),
  }),
];

const isDictionary = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);
