/** One thing switched off, and the tests that must notice. */
export interface Mutant {
  readonly name: string;
  /** Path under `packages/mull/src`. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly put: string;
  readonly tests: readonly string[];
}

const pains = (...groups: readonly string[]): readonly string[] =>
  groups.map((group) => `test/pain-points/${group}`);
const claude = pains("a-anthropic-blocks");
const items = pains("c-openai-items");
const prepared = ["packages/mull/src/history/prepare.test.ts"];
const compiled = ["packages/mull/src/history/compile.test.ts"];

/** Every transform of a history, every guard of a request, each on its own. */
export const mutants: readonly Mutant[] = [
  {
    name: "seals cross wires",
    file: "history/fit-assistant.ts",
    find: "if (origin.wire !== reader.wire) return",
    put: "if (false as boolean) return",
    tests: pains("g-switching"),
  },
  {
    name: "seals cross models",
    file: "history/fit-assistant.ts",
    find: "if (!own && ",
    put: "if (false && ",
    tests: claude,
  },
  {
    name: "seals cross providers and endpoints",
    file: "history/fit-assistant.ts",
    find: "if (!travels(seal, reader, maker))",
    put: "if (false as boolean)",
    tests: pains("c-openai-items", "f-gemini-signatures"),
  },
  {
    name: "seals cross accounts",
    file: "history/fit-assistant.ts",
    find: "if (maker?.seals?.accountBound && ",
    put: "if (false && ",
    tests: items,
  },
  {
    name: "unsendable thinking is sent",
    file: "history/fit-assistant.ts",
    find: 'if (part.send === false) return part.cut ? "its stream was cut"',
    put: 'if (false as boolean) return part.cut ? "its stream was cut"',
    tests: ["test/handoff/any-history.test.ts", "test/handoff/resume.test.ts"],
  },
  {
    name: "unsealed thinking is sent",
    file: "history/fit-assistant.ts",
    find: "if (part.seal === undefined) {",
    put: "if (part.seal === undefined) {\n    if (part.seal === undefined) return undefined;",
    tests: claude,
  },
  {
    name: "thinking blocks stay while thinking is off",
    file: "history/fit-assistant.ts",
    find: 'traits.noThoughtsWhileOff && target.setting.type === "off"',
    put: "(false as boolean)",
    tests: claude,
  },
  {
    name: "seals of another prefix are sent",
    file: "history/fit-assistant.ts",
    find: "if (run.isPrefixBroken && part.seal.prefix !== undefined)",
    put: "if (false as boolean)",
    tests: claude,
  },
  {
    name: "ids of partners stay when their reasoning goes",
    file: "history/fit-assistant.ts",
    find: "idsGone = why !== undefined && traits.idsNeedThought === true;",
    put: "idsGone = false;",
    tests: prepared,
  },
  {
    name: "thinking with nothing behind it is sent",
    file: "history/fit-assistant.ts",
    find: "if (traits.refusesTrailingThought) dropTrailingThinking(parts, message, index, run);",
    put: "",
    tests: items,
  },
  {
    name: "plain thinking is replayed to who refuses it",
    file: "history/fit-assistant.ts",
    find: "return whyNotReplayed(message, target, inCurrentTurn);",
    put: "return undefined;",
    tests: prepared,
  },
  {
    name: "empty texts stay",
    file: "history/fit-assistant.ts",
    find: 'part.type === "text" && part.text === "" && ',
    put: 'part.type === "text" && part.text === " never" && ',
    tests: ["test/handoff/any-history.test.ts", ...prepared],
  },
  {
    name: "foreign blocks stay",
    file: "history/fit-assistant.ts",
    find: "return part.wire === target.wire && provider === target.provider ? part : undefined;",
    put: "return provider === '' ? undefined : part;",
    tests: prepared,
  },
  {
    name: "calls stay unanswered",
    file: "history/answer-calls.ts",
    find: '{ role: "tool", parts: results }',
    put: '{ role: "tool", parts: results.filter((part) => part.isError !== true) }',
    tests: prepared,
  },
  {
    name: "call ids are not fitted",
    file: "history/answer-calls.ts",
    find: "let fitted = id;",
    put: "if (id !== '\\0') return id;\n  let fitted = id;",
    tests: prepared,
  },
  {
    name: "empty user messages stay",
    file: "history/compile.ts",
    find: '(part.type !== "text" || (traits.refusesBlanks ? /\\S/.test(part.text) : part.text !== ""))',
    put: "true",
    tests: pains("i-storage"),
  },
  {
    name: "an old change of effort stays in force against the dial",
    file: "history/compile.ts",
    find: '(part.seal === undefined && target.setting.type === "default")',
    put: "part.seal !== null",
    tests: prepared,
  },
  {
    name: "system messages are not fitted",
    file: "history/compile.ts",
    find: "|| isInFront(run)) {",
    put: "|| parts.length > 0) {",
    tests: prepared,
  },
  {
    name: "files are not fitted",
    file: "history/answer-calls.ts",
    find: "if (detail === undefined) return part;",
    put: "if (detail !== null) return part;",
    tests: prepared,
  },
  {
    name: "a history may begin with an answer",
    file: "history/compile.ts",
    find: "messages: beginWithUser(run)",
    put: "messages: run.out",
    tests: ["test/handoff/any-history.test.ts"],
  },
  {
    name: "a history may end with an answer",
    file: "history/compile.ts",
    find: "emit(continuation(at, run), run);",
    put: "",
    tests: ["test/handoff/resume.test.ts"],
  },
  {
    name: "a change of effort stays between two questions",
    file: "history/compile.ts",
    find: "return traits.systemWaits ? holdBack(fitted, run) : fitted;",
    put: "return fitted;",
    tests: compiled,
  },
  {
    name: "an answer joins the one before it",
    file: "history/compile.ts",
    find: "if (mayNeedLead(message, run) && hasWords(message, target)) leadToAnswer(at, run);",
    put: "",
    tests: compiled,
  },
  {
    name: "ids of files go to every service",
    file: "history/answer-calls.ts",
    find: "isStored(file.source) ? keeperOf(message, run) : undefined",
    put: "undefined as string | undefined",
    tests: ["packages/mull/src/history/fit-files.test.ts"],
  },
  {
    name: "an open loop without its thought keeps thinking",
    file: "history/prepare.ts",
    find: 'target.setting.type === "budget" &&',
    put: "target.setting.type === ('' as string) &&",
    tests: claude,
  },
  {
    name: "joined answers are taken for two turns",
    file: "history/prepare.ts",
    find: 'while (messages[start - 1]?.role === "assistant") start--;',
    put: "",
    tests: ["packages/mull/src/history/open-loop.test.ts"],
  },
  {
    name: "half characters are sent",
    file: "chat/half-characters.ts",
    find: 'json.includes("\\\\ud")',
    put: 'json === ""',
    tests: claude,
  },
  {
    name: "signed text is mended",
    file: "chat/half-characters.ts",
    find: '!isJsonObject(value) || sealFields.some((field) => typeof value[field] === "string")',
    put: "!isJsonObject(value)",
    tests: claude,
  },
  {
    name: "nothing is healed",
    file: "chat/ask.ts",
    find: "heal({ wire: composed.plan.wire, model, body, error })",
    put: "body === error ? heal({ wire: composed.plan.wire, model, body, error }) : undefined",
    tests: claude,
  },
  {
    name: "healing cannot be turned off",
    file: "chat/chat.ts",
    find: 'heal === "fail" ? 0 : 1',
    put: "1",
    tests: claude,
  },
  {
    name: "nothing is checked before it is sent",
    file: "chat/cheap-rules.ts",
    find: "rule.preflight === true",
    put: 'rule.id === ""',
    tests: ["packages/mull/src/chat/ask.test.ts"],
  },
  {
    name: "rules that name their fields are never asked",
    file: "chat/cheap-rules.ts",
    find: "if (body[field] !== undefined) return true;",
    put: "if (body[field] === field) return true;",
    tests: ["packages/mull/src/chat/ask.test.ts", ...claude],
  },
  {
    name: "cut answers are forgotten",
    file: "agent/turn.ts",
    find: "if (!isKept) keepPartial(state, await closed(stream), receipts);",
    put: "if (!isKept) await closed(stream);",
    tests: ["test/handoff/cut-streams.test.ts"],
  },
  {
    name: "results are lost when a turn is left",
    file: "agent/turn.ts",
    find: 'state.history = state.history.append({ role: "tool", parts: results.slice() });',
    put: 'if (!signal.aborted && arrived.length < 0) state.history = state.history.append({ role: "tool", parts: results.slice() });',
    tests: ["test/handoff/abort.test.ts"],
  },
];

/** Tests of each wire's rules; taking any one rule out must make one of them fail. */
export const ruleTests: Readonly<Record<string, readonly string[]>> = {
  "anthropic-messages": ["packages/mull/src/wire/anthropic-messages/rules"],
  "google-generate": ["packages/mull/src/wire/google-generate/rules"],
  "openai-chat": ["packages/mull/src/wire/openai-chat/rules"],
  "openai-responses": ["packages/mull/src/wire/openai-responses/rules"],
};
