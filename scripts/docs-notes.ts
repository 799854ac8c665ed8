import { readSources } from "./docs-sources.ts";
import { code, table } from "./docs-table.ts";

/** What each note says, in words that do not depend on the model. Sorted. */
const noteTexts: Readonly<Record<string, string>> = {
  "answer-room-shrunk":
    "The answer gets less room than you asked for: the model can't write more, or can't stop thinking.",
  "assumed-model": "The id isn't in the catalogue; the newest rules of its family were used.",
  "between-tools":
    "Thinking is off only before the answer; the model still notes its progress between tool calls.",
  "budget-cap":
    "You named no `maxOutputTokens`, and the model's own cap could exceed your `budget`: this one fits.",
  "budget-deprecated": "The model still takes a budget, but its vendor wants efforts.",
  "budget-dropped": "This API takes no thinking budget; it was left out.",
  "budget-shrunk": "The budget was cut so that the answer keeps its room.",
  "budget-to-effort": "The model takes no budget; the nearest effort was sent.",
  "cache-diagnosis":
    "This service can't say why it missed its cache, so `cache.diagnose` was left out.",
  "cache-key-cut": "The cache key was longer than the service takes.",
  "cache-miss":
    "The level changed inside the conversation, so the prompt cache starts over; the note has the number of tokens.",
  "cannot-disable": "The model can't stop thinking; its smallest step was sent for `none`.",
  "cap-raised": "The output cap was raised to the least the service accepts.",
  "chat-tools-effort": "On this model, Chat Completions takes no effort together with tools.",
  collapsed: "The model has nothing above `high`; `max` sends the same.",
  deprecated: "The model is being shut down, with the date and its successor.",
  "effort-update":
    "The new effort is sent inside the conversation, so that the prompt cache survives.",
  "effort-with-tools": "The effort was left out because this API refuses it together with tools.",
  "file-dropped": "A file was left out: this API doesn't take it there.",
  "google-skip-signature":
    "Tool calls without a signature that Google can check were sent with its documented skip value.",
  "google-thinking-dropped":
    "The model takes another kind of thinking setting; this one was left out.",
  "long-context-cap": "The conversation is long; the budget was cut.",
  "never-served": "The vendor never served this id.",
  "no-thinking-room": "Thinking is off: the answer leaves less room than the model needs to think.",
  "not-thinking": "The model doesn't think; the level was dropped.",
  compacted:
    "The conversation was shortened to fit; the note says how many messages were left out, and what replaced them.",
  "on-off-only": "The model can only turn thinking on or off.",
  "open-loop":
    "A tool loop is open and its first thought belongs to another model; the note says what was done about it.",
  "parallel-calls-kept": "Google has no switch for parallel calls.",
  rerouted: "The vendor answers this id with another model.",
  retired: "The vendor has shut the model down.",
  "rounded-down": "The model has no such step; the next lower one was sent.",
  "rounded-up": "The model has no step that low; its lowest was sent.",
  "sampling-dropped": "The service takes no such sampling parameter here.",
  "schema-dropped":
    "The service takes no schema here, or none together with tools: the model was told it in the system prompt, and the answer is checked.",
  "schema-in-words":
    "The service takes some keywords of the schema only as a description; the answer is checked against them.",
  "schema-not-strict": "OpenAI can't guarantee the schema of the answer; the answer is checked.",
  "schema-flattened": "The alternatives at the top of a tool's schema were sent as one object.",
  "service-cache-miss":
    "The service says that its prompt cache was missed, for how many tokens, and why.",
  "service-change": "The service says that it changed the request, in a way mull has no words for.",
  "service-thinking-allowed":
    "The service says that a thinking block didn't fit the conversation, but that the model saw it.",
  "service-thinking-dropped":
    "The service says that it left out thinking blocks of the history, and why.",
  "stop-dropped": "This API has no stop sequences.",
  "stop-sequences-dropped":
    "Google and OpenAI's Chat Completions take fewer stop sequences; the first ones were sent.",
  "summary-hidden": "Thinking stays hidden, with the reason.",
  fallback: "An earlier model didn't answer; `insteadOf` says which one, and why.",
  "summary-refused": "OpenAI refused summaries to this account before, so they weren't requested.",
  "summary-style": "The model has no concise summaries; `auto` was sent.",
  "temperature-fitted": "The temperature was moved into the service's range.",
  "thinking-dropped": "The setting doesn't exist on this API; it was left out.",
  "thinking-room-shrunk": "Thinking gets less room than this level usually has.",
  "thinking-exhausted-output":
    "The output limit was reached before the answer began; the note has the numbers.",
  "tool-choice-dropped": "The model doesn't take a forced tool choice; it chooses by itself.",
  "tool-choice-widened":
    "A tool can't be forced by name here; the model must call a tool of its choice.",
  "tool-dropped": "A tool that only another vendor runs was left out.",
};

/** What each change of a history means. Sorted. */
const changeTexts: Readonly<Record<string, string>> = {
  "call-answered":
    "A tool call without a result got an error result, because every call needs one.",
  "call-renamed":
    "A call to a tool that is not declared was sent under a name that the service takes.",
  "empty-message": "A message with nothing left in it was not sent.",
  "file-omitted":
    "A file that the model doesn't take, that another service stores, or that only another vendor has a block for, was replaced by a text that says so.",
  "file-quoted":
    "A text file that the model doesn't take, or a block with text that only another vendor knows, was sent as quoted text.",
  "result-quoted": "A tool result without its call was sent as quoted text that names its tool.",
  "results-moved": "Tool results were put directly after their calls.",
  "seal-withheld": "A part was sent without its seal, because an emulator made the seal.",
  "space-cut": "White space was removed from the end of a text that Claude should continue.",
  "system-as-user":
    "A system message was sent as the user's, between `<system>` and `</system>`, because the model takes none at this place.",
  "thinking-withheld":
    "Thinking was not sent; the change says which model made it, and why this one can't read it.",
  "user-added": "A short user message was added because the service wants one.",
};

/** `note("code", …)`, `warning("code", …)` and the object form, as the sources write them. */
const patterns = [
  /\b(?:info|warning|note|say)\(\s*"([a-z]+(?:-[a-z]+)*)"/g,
  /\bcode: "([a-z]+(?:-[a-z]+)+)"/g,
];

const codesIn = (folder: string): readonly string[] => [
  ...new Set(
    readSources(folder).flatMap(({ text }) =>
      patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name!)),
    ),
  ),
];

/** A code without a text, or a text without a code, is an error: the page would lie by omission. */
const asTable = (used: readonly string[], texts: Readonly<Record<string, string>>): string => {
  const untold = used.filter((name) => !Object.hasOwn(texts, name));
  const unused = Object.keys(texts).filter((name) => !used.includes(name));
  if (untold.length > 0) throw new Error(`codes without a text: ${untold.join(", ")}`);
  if (unused.length > 0) throw new Error(`texts of codes nobody uses: ${unused.join(", ")}`);
  return table(
    ["code", "what it says"],
    Object.entries(texts).map(([name, text]) => [code(name), text]),
  ).join("\n");
};

const library = "packages/mull/src";

/** Notes about the dial and about what a wire could not honour. */
export const noteTable = (): string => {
  const folders = ["dial", "wire", "agent", "chat", "history"];
  const used = [...new Set(folders.flatMap((folder) => codesIn(`${library}/${folder}`)))];
  return asTable(
    used.filter((name) => !Object.hasOwn(changeTexts, name)),
    noteTexts,
  );
};

/** Changes made to a history for one request. */
export const changeTable = (): string =>
  asTable(
    codesIn(`${library}/history`).filter((name) => !Object.hasOwn(noteTexts, name)),
    changeTexts,
  );
