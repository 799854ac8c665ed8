import { MullError, type ErrorCategory } from "mull";
import { errorCategories } from "mull/wire";
import { exitCodeOfError } from "../packages/cli/src/frame/report.ts";
import { readSources } from "./docs-sources.ts";
import { code, table } from "./docs-table.ts";

interface CategoryText {
  readonly means: string;
  readonly advice: string;
}

/** The type makes the list whole: a new category does not compile without its row. */
const categoryTexts: Readonly<Record<ErrorCategory, CategoryText>> = {
  auth: {
    means: "There is no key, or the service doesn't accept it.",
    advice: "Set the variable that the message names.",
  },
  permission: {
    means: "The key is good, but not allowed to do this.",
    advice: "Ask the account's owner, or use another model.",
  },
  rate_limit: {
    means: "Too many requests or tokens in a minute.",
    advice: "Wait `retryAfterMs`. mull has already retried.",
  },
  quota: {
    means: "Money or allowance is used up.",
    advice: "Add credit, or use another account. Retrying doesn't help.",
  },
  invalid_argument: {
    means: "The request is wrong. mull refused it before it was sent, or the service did.",
    advice: "Read `field`, `allowed`, `rule` and `fix`.",
  },
  not_found: {
    means: "There is no such model, file, response or conversation.",
    advice: "`mull models` lists what there is.",
  },
  context_overflow: {
    means: "The conversation doesn't fit into the model's window.",
    advice:
      "Shorten the conversation (`compact`), fork it earlier, or use a model with a larger window.",
  },
  content_filter: {
    means: "The service's filter refused the question or the answer.",
    advice: "Ask in another way. mull doesn't send it again by itself.",
  },
  overloaded: { means: "The service is too busy.", advice: "Try later. mull has already retried." },
  server: { means: "The service failed.", advice: "Try later; give its support `requestId`." },
  timeout: {
    means: "A time limit passed; `code` names it.",
    advice: "Raise the limit in `limits`, or lower the level.",
  },
  network: {
    means: "No connection, or a lost one; `code` is the system's.",
    advice: "Check address, proxy and certificate. `partial` has what arrived.",
  },
  aborted: {
    means: "You, or your program, stopped it.",
    advice: "Nothing. The history can be continued.",
  },
  protocol: {
    means: "The answer breaks the format of the service; `code` says how.",
    advice: "`partial` has what arrived. Please report it if it happens again.",
  },
  unknown: {
    means: "The service said something that mull doesn't know.",
    advice: "Read the message; it is the service's own.",
  },
};

/** Codes the library makes itself. Every other code is the service's or the system's own. */
const codeTexts: Readonly<Record<string, string>> = {
  INVALID_ARG: "An argument is not allowed; `field` and `allowed` say which and what is.",
  already_read: "You looped over one stream twice; each event is delivered once.",
  body_used: "Your `fetch` read the body itself before it returned the answer.",
  budget: "The next request could exceed the budget; `field` says which limit.",
  content_type: "Something other than the model answered, for example a proxy with a web page.",
  credentials: "`credentials.json` can't be read, or isn't an object of keys.",
  empty_response: "The body ended without an answer.",
  event_too_large: "One event of a stream is larger than `maxEventBytes`.",
  idleMs:
    "Nothing arrived for this long, or nobody read on for this long. The other `limits` have their names as codes, too.",
  impossible_event: "A stream event contradicts the ones before it.",
  invalid_history: "Not a history, or a broken one; `field` is the path of the fault.",
  invalid_json: "A stream event or a body is not JSON.",
  missing_key: "No key was given and no variable holds one.",
  no_count: "The service answered a request for a token count without a count.",
  no_response: "Your `fetch` didn't return a response.",
  not_a_response: "The body is JSON, but not an answer of this wire.",
  no_object: "The answer isn't the object that `output` asks for; `text` has the answer.",
  nothing_to_send:
    "Nothing in the conversation can be sent: it has only a broken answer, results without their calls, or a system prompt.",
  open_loop: "A tool loop is open, its leading thought is missing, and the policy is `fail`.",
  out_of_order: "Stream events came in an impossible order.",
  port_taken: "Another program listens on the port you asked for.",
  preflight:
    "A rule found something that the service would refuse and that mull can't repair; see `rule` and `fix`.",
  redirect: "The service redirects. mull doesn't follow, so that no key reaches another host.",
  response_too_large: "The body is larger than `maxResponseBytes`.",
  signal: "Your own `AbortSignal.timeout` passed; `cause` is its reason.",
  too_many_parts: "More parts than any answer has.",
  truncated: "The stream ended before the answer was complete; `partial` has what arrived.",
  turn_running: "The agent is already running a turn.",
  undecided: "Calls wait for a decision; `allowed` has their ids.",
  undecodable: "The decoder failed on an answer; `cause` has why.",
  unexpected_event: "A stream event makes no sense at its place.",
  unexpected_part: "A part of an answer makes no sense at its place.",
};

const patterns = [
  /\bcode: "([A-Za-z_]+)"/g,
  /\b(?:broken|fail|protocolFailure|unexpected)\(\s*"([a-z]+_[a-z_]+|truncated|undecodable|redirect)"/g,
  /\b(?:fail|protocolError)\([^;]*, "([a-z]+_[a-z_]+)"[,)]/g,
];

/** Rules and mirrors spell what the services say; those codes are not ours. */
const isOurs = (path: string): boolean => !/[\\/](?:rules|service)[\\/]/.test(path);

const codesInSources = (): readonly string[] => [
  ...new Set(
    readSources("packages/mull/src")
      .filter(({ path }) => isOurs(path))
      .flatMap(({ text }) =>
        patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name!)),
      ),
  ),
];

/** What a service refused, and what was refused before anybody was asked, where they differ. */
function exitCell(category: ErrorCategory): string {
  const asked = exitCodeOfError(new MullError("", { category, status: 400 }));
  const unasked = exitCodeOfError(new MullError("", { category }));
  return asked === unasked ? String(asked) : `${asked}; ${unasked} when nothing was sent`;
}

export const categoryTable = (): string =>
  table(
    ["category", "what happened", "what to do", "exit code"],
    errorCategories.map((category) => [
      code(category),
      categoryTexts[category].means,
      categoryTexts[category].advice,
      exitCell(category),
    ]),
  ).join("\n");

export const codeTable = (): string => {
  const used = codesInSources();
  const untold = used.filter((name) => !Object.hasOwn(codeTexts, name));
  const unused = Object.keys(codeTexts).filter((name) => !used.includes(name));
  if (untold.length > 0) throw new Error(`error codes without a text: ${untold.join(", ")}`);
  if (unused.length > 0) throw new Error(`texts of codes nobody throws: ${unused.join(", ")}`);
  return table(
    ["code", "what it means"],
    Object.entries(codeTexts).map(([name, text]) => [code(name), text]),
  ).join("\n");
};
