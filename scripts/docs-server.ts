import { limitVariable } from "../packages/server/src/limits/read-limits.ts";
import { defaultLimits, type Limits } from "../packages/server/src/parts.ts";
import { routes } from "../packages/server/src/routes/index.ts";
import { readSources } from "./docs-sources.ts";
import { code, grouped, table } from "./docs-table.ts";

export const routeTable = (): string =>
  table(
    ["route", "who", "what it does"],
    routes.map(({ method, path, access, summary }) => [
      code(`${method} ${path}`),
      access === "user" ? "signed in" : "anyone",
      summary,
    ]),
  ).join("\n");

const limitTexts: Readonly<Record<keyof Limits, string>> = {
  bodyBytes: "bytes of a request body",
  requestsPerSecond: "requests per second of one user, or of one address that isn't signed in",
  requestBurst: "requests that may come at once",
  turnsPerUser: "turns of one user that run at the same time",
  turns: "turns of the whole process that run at the same time",
  readers: "readers of streams in the whole process",
  turnMs: "longest turn in milliseconds",
  toolSteps: "answers in one turn, tool loop included",
  tokensPerDay: "tokens of one user in 24 hours; 0 means no limit",
  dollarsPerDay: "dollars of one user in 24 hours; 0 means no limit",
  attemptsPerAccount: "wrong passwords for one account in 15 minutes",
  attemptsPerAddress: "wrong passwords and new accounts from one address in 15 minutes",
  importsPerDay: "files one user may import in 24 hours; 0 means no limit",
  importedMessagesPerDay: "messages in them; 0 means no limit",
  importedBytesPerDay: "bytes in them; 0 means no limit",
  saveMs: "how long the server keeps trying to save a turn when the store is away",
  saveGraceMs:
    "how long to wait for the store before telling the reader that the answer isn't saved yet",
  drainMs: "how long running turns may continue at shutdown",
};

export const limitTable = (): string =>
  table(
    ["limit", "variable", "default", "what it limits"],
    (Object.keys(limitTexts) as (keyof Limits)[]).map((name) => [
      code(name),
      code(limitVariable(name)),
      grouped(defaultLimits[name]),
      limitTexts[name],
    ]),
  ).join("\n");

const variableTexts: Readonly<Record<string, string>> = {
  PORT: "port; 3001 by default, 0 for any free one",
  HOST: "address to listen on; `127.0.0.1` by default",
  MULL_ALLOW_REMOTE: "`1` allows an address other than this machine's own",
  MULL_HOSTS:
    "the only host names that the server answers to, separated by commas; by default those of this machine",
  MULL_SECURE: "`1` behind TLS: cookies are `Secure` and bound to the host",
  MULL_CLOSED:
    "`1`: nobody can create an account, except the first with the link that the server prints",
  MULL_USER_KEYS: "`1`: users can enter keys of their own, which are stored encrypted",
  XDG_CONFIG_HOME: "folder whose `mull/credentials.json` holds your keys; `~/.config` by default",
  MULL_SECRET:
    "what session cookies are signed and users' keys encrypted with, 32 characters or more; by default it is made once and kept in the database",
  DATABASE_URL: "a Postgres server; without it, the embedded one is used",
  MULL_LOCK_URL:
    "Postgres itself, if `DATABASE_URL` leads to a pooler: the process holds its lock and listens there",
  MULL_POOL_SIZE:
    "most connections of one process to Postgres, not counting one for its lock; 8 by default",
  MULL_REDIS_URL:
    "a Redis server that carries running answers from one process to another; without it, Postgres does",
  MULL_DATA: "folder of the embedded database; `mull-data` by default",
  MULL_MODEL: "model of new conversations",
  MULL_LEVEL: "level of new conversations; `med` by default",
  MULL_FALLBACK: "models to ask, in this order, when the chosen one fails; none by default",
  MULL_SIMULATE:
    "`1`: the emulator answers for vendors without a key. Without any key it always does",
  MULL_TRUSTED_PROXIES:
    "proxies whose `X-Forwarded-For` is believed: their addresses and networks, or how many there are; none by default",
  MULL_PACE: "milliseconds between the events of simulated answers; 8 by default",
  MULL_DRAIN_SECONDS:
    "how many seconds running turns may continue after a shutdown begins; the rest are stored as `interrupted`; 10 by default",
  MULL_LEAVE_SECONDS:
    "how many seconds before that `/ready` says 503 while everything is still served; set it to more than your load balancer needs to notice; 0 by default",
  MULL_LEASE:
    "milliseconds of silence after which another process may end a process's turns; 10,000 by default",
  MULL_MCP: "MCP servers whose tools are offered: a file with `mcpServers`, or its JSON",
  MULL_APPROVAL:
    "which tools ask a person first: `writes` (the default), tools of MCP servers that can change something; `always`, all; `never`, none",
  MULL_OTEL:
    "`1`: send spans and metrics to the OpenTelemetry SDK that is registered, for example with `--import`; `content`: include what was said",
  MULL_LOG: "`off`: no log lines on stderr",
};

/** The server also reads the providers' keys and base URLs: docs-environment.ts lists them. */
export const variableTable = (): string => {
  const used = new Set(
    readSources("packages/server/src").flatMap(({ text }) =>
      [...text.matchAll(/\benv(?:\[|, )"([A-Z_]+)"/g)].map(([, name]) => name!),
    ),
  );
  const untold = [...used].filter((name) => !Object.hasOwn(variableTexts, name));
  const unused = Object.keys(variableTexts).filter((name) => !used.has(name));
  if (untold.length > 0) throw new Error(`variables without a text: ${untold.join(", ")}`);
  if (unused.length > 0) throw new Error(`texts of variables nobody reads: ${unused.join(", ")}`);
  return table(
    ["variable", "what it sets"],
    Object.entries(variableTexts).map(([name, text]) => [code(name), text]),
  ).join("\n");
};
