import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { emulate, type Emulator } from "@mull/emulator";
import { mcpTools } from "@mull/mcp";
import { flushTelemetry, otel } from "@mull/otel";
import { pgDriver, pgliteDriver, postgresStore, type Store } from "@mull/store";
import { isMullError, MullError, providers, type Environment, type Tool } from "mull";
import { usualModel } from "mull/wire";
import { loadModules, randomText } from "./accounts/library.ts";
import { useOf } from "./accounts/owner.ts";
import { chatServer } from "./app.ts";
import {
  checkAddresses,
  chooseUpstream,
  isForOnePerson,
  readConfig,
  type ServerConfig,
} from "./config.ts";
import { loadFiles } from "./http/load-files.ts";
import type { StaticFiles } from "./http/static-files.ts";
import { checkPlace, listen, type Listening } from "./node.ts";
import { createScrubber } from "mull/wire";
import type { ServerKeys } from "./keys/server-keys.ts";
import { watchKeys } from "./keys/watch-keys.ts";
import type { ChatServerParts, LogEntry } from "./parts.ts";
import { calculator } from "./tools/calculator.ts";
import { offlineSearch, searchWeb } from "./tools/search-web.ts";

/** Settings of `serve`. */
export interface ServeOptions {
  readonly env: Environment;
  readonly log?: (entry: LogEntry) => void;
  /**
   * A person started it in a terminal and reads what it prints, so on their own machine they need
   * no account. A service manager or a pipe doesn't count.
   */
  readonly isByHand?: boolean;
  /**
   * Keys that the person who runs the server may change on the page; fixed to those of `env` when
   * left out.
   */
  readonly keys?: ServerKeys;
  /** The built page; the one of `@mull/web` when left out. */
  readonly pageFolder?: string;
}

/** The running application. */
export interface Serving extends Listening {
  /** Answers are simulated because no key is set. */
  readonly isSimulated: boolean;
  /** Whether the page was built; without it, only the API answers. */
  readonly hasPage: boolean;
  /** Resolves when the store is open. */
  readonly opened: Promise<void>;
  /** How to get in without an account, once the store is open. Print it; never log it. */
  readonly entrance: Promise<Entrance | undefined>;
}

/** A link that works once. */
export interface Entrance {
  readonly url: string;
  /**
   * `one`: it opens the page. `claim`: it creates the first account, for what the `one` person said
   * here.
   */
  readonly use: "one" | "claim";
}

/** Printed until it is known whether there is an entrance. */
export const openingLine: string =
  "Opening the conversations. If you need a link to get in, it comes next.";

/** The text to print. */
export const entranceLine = ({ url, use }: Entrance): string =>
  use === "one"
    ? `Open this link; it works once: ${url}`
    : `Create the first account with this link; it works once. The conversations kept here become that account's: ${url}`;

/**
 * Seals of simulated answers must still open after a restart, and in every process on one database.
 */
const emulatorSecret = "mull-serve";

/** The page and the receipts say that answers are simulated. */
const simulate = (paceMs: number): Emulator =>
  emulate({ secret: emulatorSecret, note: false, faults: paceMs > 0 ? `pace=${paceMs}` : "" });

/** The server answers only after every MCP server has, or its time is up. */
const mcpStartMs = 10_000;

const flushMs = 2000;

const system =
  "You are a helpful assistant. Use searchWeb for anything that may have changed recently, and calculator for arithmetic.";

/** These tools only read. */
const ownTools = ({ approval }: ServerConfig): readonly Tool[] => {
  const asks = approval === "always" && { needsApproval: () => true };
  return [searchWeb(offlineSearch), calculator].map((each) => ({ ...each, ...asks }));
};

/** Starts the whole application from environment variables. The store opens in the background. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { env } = options;
  const config = readConfig(env);
  checkAddresses(env);
  const log = options.log ?? ((): void => undefined);
  const current = watchKeys(env, options.keys);
  const emulator = simulate(config.paceMs);
  const upstream: ChatServerParts["upstream"] = (provider) =>
    chooseUpstream(current().env, emulator)(provider);
  // Check the address first, so that a refused start creates no database.
  await checkPlace(config);
  const store = openStore(config, (text) => {
    log({ time: new Date().toISOString(), event: "store", text });
  });
  // Callers who wait for it get the error; nobody waits yet.
  store.catch(() => undefined);
  const mcp = await mcpTools(config.mcpServers, {
    approval: config.approval,
    startMs: mcpStartMs,
    onTrouble: (name, error) => {
      const time = new Date().toISOString();
      const scrub = createScrubber(current().secrets);
      log({ time, event: "mcp-trouble", server: name, error: scrub(String(error)) });
    },
  });
  const files = await pageFiles(options.pageFolder);
  const isForOne = options.isByHand === true && isForOnePerson(env, config.host);
  const link = randomText();
  const app = chatServer({
    store,
    entrance: { link, isForOne },
    upstream,
    system,
    tools: () => [...ownTools(config), ...mcp.tools],
    files,
    get secrets() {
      return current().secrets;
    },
    ...(options.keys !== undefined && { serverKeys: options.keys }),
    log,
    ownsLibrary: true,
    ...settingsOf(config),
    get model() {
      return config.model ?? usualModel(current().env);
    },
  });
  const closeAll = async (): Promise<void> => {
    await mcp.close();
    // A collector that doesn't answer holds up no restart.
    if (config.telemetry !== "off") await Promise.race([flushTelemetry(), sleep(flushMs)]);
    await store.then((opened) => opened.close()).catch(() => undefined);
  };
  const { port, host, allowRemote, trustedProxies = "", leaveMs } = config;
  const place = { port, host, allowRemote, trustedProxies, leaveMs, onClose: closeAll };
  const listening = await listen(app, place).catch(async (error: unknown) => {
    // Another program took the port meanwhile.
    await closeAll();
    throw error;
  });
  // Loads while the store opens; if it fails, the first sign-in gets the error.
  loadModules().catch(() => undefined);
  const opened = store.then(
    () => undefined,
    (error: unknown) => {
      throw withReason(error, config);
    },
  );
  opened.catch(() => undefined);
  const isSimulated = providers.every((provider) => upstream(provider).isSimulated);
  const base = publicUrl(config) ?? listening.url;
  const entrance = store
    .then(async (open): Promise<Entrance | undefined> => {
      const use = await useOf(open, isForOne);
      return use === "accounts" ? undefined : { url: `${base}/#/link/${link}`, use };
    })
    // `opened` rejects with the reason.
    .catch(() => undefined);
  return { ...listening, isSimulated, hasPage: files.size > 0, opened, entrance };
}

/** The chat server's own settings, from the environment. */
const settingsOf = (config: ServerConfig): Partial<ChatServerParts> => ({
  limits: { ...config.limits, drainMs: config.drainMs },
  hosts: config.hosts,
  isSecure: config.isSecure,
  isClosed: config.isClosed,
  isShared: config.databaseUrl !== undefined,
  fallback: config.fallback,
  ...(config.hasUserKeys === true && { userKeys: {} }),
  ...(config.redisUrl !== undefined && { redisUrl: config.redisUrl }),
  ...(config.secret !== undefined && { secret: config.secret }),
  ...(config.level !== undefined && { level: config.level }),
  ...(config.telemetry !== "off" && { observe: otel({ content: config.telemetry === "content" }) }),
});

/** The address by which people reach it through a proxy. */
const publicUrl = ({ hosts: [name], isSecure }: ServerConfig): string | undefined =>
  name === undefined ? undefined : `${isSecure ? "https" : "http"}://${name}`;

/**
 * Users don't need to know where the database is. The person who starts the server does, to fix it.
 */
function withReason(error: unknown, { databaseUrl, dataFolder }: ServerConfig): unknown {
  if (isMullError(error) && error.code !== "unavailable") return error;
  const { message, cause } = isMullError(error) ? error : { message: "", cause: error };
  // Several addresses were tried; each failure is inside.
  const [reason] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause];
  const why = reason instanceof Error ? reason.message : "";
  const fix =
    databaseUrl === undefined
      ? `set MULL_DATA, now ${dataFolder}, to a folder that can be written`
      : "check DATABASE_URL, and that the database runs";
  const fields = { category: "server", code: "unavailable", fix } as const;
  return new MullError([message, why].filter(Boolean).join(" "), fields, { cause: error });
}

async function openStore(config: ServerConfig, onNotice: (text: string) => void): Promise<Store> {
  const driver =
    config.databaseUrl === undefined
      ? await pgliteDriver(config.dataFolder)
      : pgDriver(config.databaseUrl, {
          poolSize: config.poolSize,
          ...(config.lockUrl !== undefined && { lockUrl: config.lockUrl }),
        });
  return postgresStore(driver, { leaseMs: config.leaseMs, onNotice });
}

async function pageFiles(folder: string | undefined): Promise<StaticFiles> {
  const place = folder ?? findPage();
  return existsSync(place) ? loadFiles(place) : new Map();
}

/**
 * The installed page. If package names can't be resolved (in a bundle or a test), the repository's
 * own.
 */
function findPage(): string {
  try {
    return dirname(fileURLToPath(import.meta.resolve("@mull/web/index.html")));
  } catch {
    return fileURLToPath(new URL("../../web/dist/", import.meta.url));
  }
}
