import type { AgentEvent } from "mull";

import type { TurnOutcome } from "../ask/outcome.ts";
import type { CacheRow } from "../commands/cache.ts";
import type { CostReport } from "../commands/cost.ts";
import type { DoctorFinding } from "../commands/doctor.ts";
import type { MapView } from "../commands/map.ts";
import type { MatrixView } from "../commands/matrix.ts";
import type { PlanView } from "../commands/plan.ts";
import type { SweepRow } from "../commands/sweep.ts";
import type { CassetteView, ScanView } from "../commands/vcr.ts";
import type { KeyStatus } from "../config/keys.ts";
import type { Summary } from "../conversations/read-summary.ts";
import type { JsonShape } from "./command.ts";
import type { LintView } from "../wire-tools/lint-request.ts";
import type { DecodedError, ReplyView } from "../wire-tools/read-reply.ts";
import type { RequestView } from "../wire-tools/request-view.ts";

/** Types are erased and texts are light: help needs them before anything else is loaded. */
type FieldTexts<Shape> = Readonly<Record<keyof Shape & string, string>>;

const outcome: FieldTexts<TurnOutcome> = {
  v: "version of this format: 1",
  text: "the answer, without thinking",
  thinking: "what was thought, as far as it is shown",
  receipt: "what was asked, applied, sent, withheld and repaired; null when nothing was sent",
  usage:
    "tokens, each counted once; unknown counts are absent, and `thinkingSource` says how thinking was counted",
  cost: "US dollars by the catalogue's prices; null if a price is missing",
  costAtLeast: "the known part of the cost, if the answer was cut or a step has no price",
  model: "the model that was asked; null when none was",
  finish:
    "`reason` (stop, length, tool-calls, content-filter, refusal, …) and the service's word, `raw`",
  conversation: "name to continue with: `mull -r NAME`; null if it is not saved",
  error: "only on failure: category, status, code, message, retryAfterMs, requestId, rule, fix",
};

type AnswerEvent = Extract<AgentEvent, { type: "answer" }>["event"];
type EventLine = AnswerEvent["type"] | "tool-result" | "approval" | "step" | "result";

const events: Readonly<Record<EventLine, string>> = {
  start: "the service started to answer: `id`, `model`",
  heartbeat: "the service is alive but sends nothing yet",
  thinking: "`delta`: a piece of thinking; `index` is the part it belongs to",
  text: "`delta`: a piece of the answer",
  "tool-call": "a call begins: `id`, `name`",
  "tool-input": "`delta`: a piece of its input",
  part: "`part`: one part, whole",
  "tool-result": "`callId`, `name`, `output`, `isError`, `durationMs`",
  approval: "`pending`: the calls that wait for a decision, and why",
  step: "one request is done: `finish`, `usage`, `cost`, `timing`, `receipt`",
  result: "the last line, with the fields of `--json`",
};

const request: FieldTexts<RequestView> = {
  model: "id of the model",
  provider: "who serves it",
  wire: "the HTTP format",
  request: "method, url, path, headers without the key, body",
  receipt: "plan, sent, withheld, changes, repairs, notes",
  lint: "`ok`, and `findings` about the request as it would go out",
};

const reply: FieldTexts<ReplyView> = {
  thinking: "what was thought",
  thinkingParts: "the same, part by part",
  text: "the answer",
  refusal: "the words of a refusal, if there is one",
  toolCalls: "list of `id`, `name`, `input`",
  seals: "list of `part`, `kind`, `value`: signatures and sealed thoughts",
  finish: "`reason` and `raw`, the service's word",
  usage: "tokens, each counted once, and `raw`",
  model: "who answered; null if the answer does not say",
  id: "id of the answer, or null; `replyId` in a batch",
};

const decodedError: FieldTexts<DecodedError> = {
  error: "category, status, code, message, retryAfterMs, requestId",
  partial: "what had arrived, in the form above, or null",
};

const lint: FieldTexts<LintView> = {
  ok: "nothing would be refused",
  findings: "list of `rule`, `severity`, `path`, `message`, `fix`",
  fixed: "with --fix: the repaired body",
  repairs: "with --fix: list of `rule`, `detail`",
  left: "with --fix: findings that only you can fix",
};

const plan: FieldTexts<PlanView> = {
  ref: "provider, model and level",
  map: "what every level sends to this model",
  plan: "asked, applied, setting, rooms, what is visible and why, notes",
  sent: "the fields of the body that set thinking",
  feedback: "the lines `/model` prints in the chat",
  input:
    "with --count: `tokens`, `source` (service or estimate) and why it is an estimate; else null",
};

const map: FieldTexts<MapView> = { model: "id of the model", map: "what each level sends to it" };

const matrix: FieldTexts<MatrixView> = {
  models: "how many models",
  passed: "handoffs whose request breaks no rule",
  total: "handoffs tried",
  rows: "list of `from`, `passed`, `total`",
  failures: "list of `from`, `to`, `kind`, `faults`",
  restored: "seals that the first model got back when it took over again",
  leftOut: "list of `model`, `reason`: models that cannot hold a conversation with tools at all",
};

const sweep: FieldTexts<SweepRow> = {
  model: "id of the model",
  level: "the level asked for",
  applied: "the level that was sent; null on failure",
  thinkingTokens: "thinking tokens; null if they were not counted",
  thinkingSource: "reported, derived, estimated or null",
  outputTokens: "tokens of the answer, or null",
  cost: "US dollars, or null",
  ms: "how long it took",
  simulated: "the emulator answered",
  text: "the answer",
  error: "why there is none",
};

const conversations: FieldTexts<Summary> = {
  name: "name to continue with",
  id: "id in the file, or null",
  title: "its name, or the first question",
  messages: "how many messages",
  turns: "how many answers",
  model: "the model that continues it, or null",
  changedAt: "ISO date of the last change",
  damage: "lines of the file that cannot be read",
};

const cost: FieldTexts<CostReport> = {
  models:
    "one row for each model: `model`, `turns`, `usage`, `cost`, `unpriced`, `cut`, `simulated`",
  total: "the same for all of them",
};

const cache: FieldTexts<CacheRow> = {
  model: "the model that answered last",
  input: "tokens that did not come from the cache, or null",
  read: "tokens read from the cache, or null",
  written: "tokens written to the cache, or null",
  predicted: "tokens that were expected from the cache; null if none could be",
  miss: "why less was read: `by` (request or service) and `reason`; null if nothing was missed",
  cost: "US dollars by the catalogue's prices, or null",
};

const keys: FieldTexts<KeyStatus> = {
  provider: "id of the provider",
  name: "its name",
  variables: "variables that may hold its key",
  source: "variable or file the key comes from; absent when there is none",
};

const doctor: FieldTexts<DoctorFinding> = {
  name: "what was checked",
  state: "ok, warning or error",
  detail: "what was found, and what to do",
};

const scan: FieldTexts<ScanView> = {
  ok: "no secret was found",
  findings: "list of `file`, `line`, `kind`, `hint`; never the secret",
};

const cassette: FieldTexts<CassetteView> = {
  file: "path of the cassette",
  recorded: "ISO date",
  ignore: "fields that may differ on replay",
  exchanges:
    "list of `line`, `method`, `url`, `status`, `type`, `deliveries`, `bytes`, `ms`, `end`; with --bodies `sent` and `received`",
};

const requestShape: JsonShape = { what: "`--json` prints one object", fields: request };

const askShapes: readonly JsonShape[] = [
  { what: "`--json` prints one object", fields: outcome },
  { what: "`--jsonl` prints one object on each line; `type` says what it is", fields: events },
  { what: "`--plan --json` prints one object", fields: request },
];

/** What `--json` of a command prints, by its name; asking is the command without one. */
export const jsonShapes: Readonly<Record<string, readonly JsonShape[]>> = {
  ask: askShapes,
  record: askShapes,
  replay: askShapes,
  plan: [{ what: "`--json` prints a list, one row for each level", fields: plan }],
  models: [{ what: "`--json` prints a list of rows of the catalogue, each a `Model`", fields: {} }],
  decode: [
    { what: "`--json` prints one object", fields: reply },
    { what: "For a failure it prints", fields: decodedError },
  ],
  lint: [{ what: "`--json` prints one object", fields: lint }],
  send: [
    { what: "`--json` prints one object, as `mull decode` does", fields: reply },
    { what: "For a failure it prints", fields: decodedError },
  ],
  handoff: [requestShape],
  encode: [requestShape],
  matrix: [{ what: "`--json` prints one object", fields: matrix }],
  map: [{ what: "`--json` prints a list, one row for each model", fields: map }],
  sweep: [{ what: "`--json` prints a list, one row for each answer", fields: sweep }],
  conversations: [
    { what: "`--json` prints a list, one row for each conversation", fields: conversations },
  ],
  cost: [{ what: "`--json` prints one object", fields: cost }],
  cache: [{ what: "`--json` prints a list, one row for each turn", fields: cache }],
  keys: [{ what: "`--json` prints a list, one row for each provider", fields: keys }],
  doctor: [{ what: "`--json` prints a list, one row for each check", fields: doctor }],
  vcr: [
    { what: "`scan --json` prints one object", fields: scan },
    { what: "`show --json` prints a list, one row for each cassette", fields: cassette },
  ],
};
