import { defaultLimits, type Limits } from "../packages/server/src/parts.ts";
import { routes } from "../packages/server/src/routes/index.ts";
import { readSources } from "./docs-sources.ts";
import { code, grouped, table } from "./docs-table.ts";

export const routeTable = (): string =>
  table(
    ["route", "who", "what it does"],
    routes.map(({ method, path, access, summary }) => [
      code(`${method} ${path}`),
      access === "user" ? "signed in" : "anybody",
      summary,
    ]),
  ).join("\n");

const limitTexts: Readonly<Record<keyof Limits, string>> = {
  bodyBytes: "bytes of a request body",
  requestsPerSecond: "requests a second of one user, or of one address that is not signed in",
  requestBurst: "requests that may come at once",
  turnsPerUser: "turns of one user at the same time",
  turns: "turns of the whole process at the same time",
  readers: "readers of streams in the whole process",
  turnMs: "longest turn in milliseconds",
  toolSteps: "answers in one turn, tool loop included",
  tokensPerDay: "tokens of one user in 24 hours; 0 is no limit",
  dollarsPerDay: "dollars of one user in 24 hours; 0 is no limit",
  attemptsPerAccount: "wrong passwords for one account in 15 minutes",
  attemptsPerAddress: "wrong passwords and new accounts from one address in 15 minutes",
  saveMs: "how long a turn that cannot be saved is kept and tried again",
  saveGraceMs:
    "longest wait for the store before the reader is told that the answer is not saved yet",
  drainMs: "time running turns get at shutdown",
};

export const limitTable = (): string =>
  table(
    ["limit", "default", "what it holds"],
    (Object.keys(limitTexts) as (keyof Limits)[]).map((name) => [
      code(name),
      grouped(defaultLimits[name]),
      limitTexts[name],
    ]),
  ).join("\n");

const variableTexts: Readonly<Record<string, string>> = {
  PORT: "port; 3001 when left out, 0 for any free one",
  HOST: "address to listen on; `127.0.0.1` when left out",
  MULL_ALLOW_REMOTE: "`1` allows an address that is not loopback",
  MULL_HOSTS:
    "the only host names the server answers for, separated by commas; loopback names when left out",
  MULL_SECURE: "`1` behind TLS: cookies are `Secure` and bound to the host",
  MULL_CLOSED: "`1`: nobody can make an account",
  MULL_SECRET:
    "what session cookies are signed with, 32 characters or more; made once and kept in the database when left out",
  DATABASE_URL: "a Postgres server; without it the embedded one",
  MULL_DATA: "folder of the embedded database; `mull-data` when left out",
  MULL_MODEL: "model of new conversations",
  MULL_LEVEL: "level of new conversations; `med` when left out",
  MULL_SIMULATE:
    "`1`: the emulator answers for vendors without a key; without any key it does so anyway",
  MULL_TRUSTED_PROXIES:
    "proxies whose `X-Forwarded-For` is believed: their addresses and networks, or how many stand in front; nobody's when left out",
  MULL_PACE: "milliseconds between the events of simulated answers; 8 when left out",
  MULL_LEASE:
    "milliseconds after which the turns of a process that fell silent are another's to end; 10,000 when left out",
  MULL_MCP: "MCP servers whose tools are offered: a file with `mcpServers`, or its JSON",
  MULL_OTEL:
    "`1`: spans and metrics go to the OpenTelemetry SDK that is registered, e.g. with `--import`; `content`: with what was said",
  MULL_LOG: "`off`: no log lines on stderr",
};

/** Beside these, the providers' keys and base URLs are read: models.md lists them. */
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
