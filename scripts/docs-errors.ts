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
    means: "No key, or the service does not take it.",
    advice: "Set the variable the message names.",
  },
  permission: {
    means: "The key is good, but not for this.",
    advice: "Ask the account's owner, or use another model.",
  },
  rate_limit: {
    means: "Too many requests or tokens a minute.",
    advice: "Wait `retryAfterMs`; retries did, and it was not enough.",
  },
  quota: { means: "Money or allowance is used up.", advice: "Pay, or use another account." },
  invalid_argument: {
    means: "The request is wrong: refused here before it was sent, or by the service.",
    advice: "Read `field`, `allowed`, `rule` and `fix`.",
  },
  not_found: {
    means: "No such model, file, response or conversation.",
    advice: "`mull models` lists what there is.",
  },
  context_overflow: {
    means: "The conversation does not fit into the model's window.",
    advice: "Fork earlier, shorten, or take a model with a larger window.",
  },
  content_filter: {
    means: "The service's filter refused the question or the answer.",
    advice: "Ask otherwise. It is not sent again by itself.",
  },
  overloaded: { means: "The service is too busy.", advice: "Try later; retries did." },
  server: { means: "The service failed.", advice: "Try later; give its support `requestId`." },
  timeout: {
    means: "A time limit passed; `code` names it.",
    advice: "Raise the limit in `limits`, or lower the level.",
  },
  network: {
    means: "No connection, or a lost one; `code` is the system's.",
    advice: "Look at address, proxy and certificate. `partial` has what came.",
  },
  aborted: { means: "Somebody stopped it.", advice: "Nothing; the history can be continued." },
  protocol: {
    means: "The answer is not what the wire promises; `code` says how.",
    advice: "`partial` has what came. Report it when it comes again.",
  },
  unknown: {
    means: "The service said something nobody has seen yet.",
    advice: "The message is the service's own.",
  },
};

/** Codes the library makes itself. Every other code is the service's or the system's own. */
const codeTexts: Readonly<Record<string, string>> = {
  INVALID_ARG: "An argument is not allowed; `field` and `allowed` say which and what is.",
  already_read: "A second loop over one stream; each event is handed out once.",
  body_used: "The `fetch` that was given read the body itself before it handed the answer on.",
  budget: "The next request could exceed the budget; `field` says which limit.",
  content_type: "The answer has a content type that no model's answer has, e.g. a proxy's page.",
  credentials: "`credentials.json` cannot be read, or is not an object of keys.",
  empty_response: "The body ended without an answer.",
  event_too_large: "One event of a stream is larger than `maxEventBytes`.",
  idleMs:
    "Nothing came for so long, or a half-read answer was left unread for so long; the other `limits` use their names the same way.",
  impossible_event: "A stream event contradicts the ones before it.",
  invalid_history: "Not a history, or a broken one; `field` is the path of the fault.",
  invalid_json: "A stream event or a body is not JSON.",
  missing_key: "No key was given and no variable holds one.",
  no_count: "A service was asked to count tokens and answered without a count.",
  no_response: "The `fetch` that was given did not return a response.",
  not_a_response: "The body is JSON, but not an answer of this wire.",
  no_object: "The answer is not the object that `output` asked for; `text` has it.",
  nothing_to_send:
    "Of the whole conversation nothing is left to send: a broken answer, results without their calls, or a system prompt alone.",
  open_loop: "A tool loop is open, its leading thought is missing, and the policy is `fail`.",
  out_of_order: "Stream events came in an impossible order.",
  preflight:
    "A rule found what the service would refuse, and it cannot be mended; see `rule` and `fix`.",
  redirect:
    "The service redirects. Redirects are not followed, so that no key reaches another host.",
  response_too_large: "The body is larger than `maxResponseBytes`.",
  signal: "The caller's own `AbortSignal.timeout` passed; `cause` is its reason.",
  too_many_parts: "More parts than any answer has.",
  truncated: "The stream ended before the answer was complete; `partial` has what came.",
  turn_running: "The agent is in a turn already.",
  undecided: "Calls wait for a decision; `allowed` has their ids.",
  undecodable: "The decoder failed on an answer; `cause` has why.",
  unexpected_event: "A stream event makes no sense where it stands.",
  unexpected_part: "A part of an answer makes no sense where it stands.",
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
