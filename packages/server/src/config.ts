import { readFileSync } from "node:fs";
import { readMcpServers, type McpApproval, type McpServers } from "@mull/mcp";
import {
  findKey,
  isMullError,
  MullError,
  parseLevel,
  providers,
  resolveModel,
  type Environment,
  type Fetch,
  type Level,
  type Provider,
} from "mull";
import { hasAnyKey } from "mull/wire";
import { readProxies } from "./http/client-address.ts";
import { badRequest } from "./http/shape.ts";
import { readLimits } from "./limits/read-limits.ts";
import { defaultPort, loopback } from "./node.ts";
import type { Limits, Upstream } from "./parts.ts";

/** The server's settings, from the environment. */
export interface ServerConfig {
  readonly port: number;
  readonly host: string;
  readonly allowRemote: boolean;
  readonly hosts: readonly string[];
  readonly trustedProxies?: string;
  readonly isSecure: boolean;
  readonly isClosed: boolean;
  /** Users may enter their own keys. */
  readonly hasUserKeys?: boolean;
  readonly secret?: string;
  readonly databaseUrl?: string;
  readonly dataFolder: string;
  /** The address of the database itself, if `databaseUrl` leads to a pooler. */
  readonly lockUrl?: string;
  /** Most connections to the database, besides the one that holds the process's name. */
  readonly poolSize: number;
  readonly redisUrl?: string;
  readonly model?: string;
  readonly level?: Level;
  /** The models to ask, in this order, when the chosen one fails. */
  readonly fallback: readonly string[];
  /** Milliseconds between the events of simulated answers. */
  readonly paceMs: number;
  /** At a shutdown, how long `/ready` says 503 before new connections are refused. */
  readonly leaveMs: number;
  /** How long turns may continue after that. */
  readonly drainMs: number;
  /** The limits that differ from the defaults; the drain time is apart. */
  readonly limits: Partial<Limits>;
  /**
   * How long a turn counts as running after the last sign of life of its process, if several share
   * a database.
   */
  readonly leaseMs: number;
  readonly mcpServers: McpServers;
  /** Which calls wait for a person's approval. */
  readonly approval: McpApproval;
  /** What goes to OpenTelemetry: nothing, spans and metrics, or also what was said. */
  readonly telemetry: "off" | "on" | "content";
}

/** Every variable the server reads, besides the providers' keys and base URLs. */
export function readConfig(env: Environment): ServerConfig {
  const port = Number(env["PORT"] || defaultPort);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw badRequest("PORT", "0 to 65535");
  return {
    port,
    host: env["HOST"] || "127.0.0.1",
    allowRemote: readSwitch(env, "MULL_ALLOW_REMOTE"),
    hosts: (env["MULL_HOSTS"] ?? "")
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(readHost),
    ...(env["MULL_TRUSTED_PROXIES"] && {
      trustedProxies: readTrusted(env["MULL_TRUSTED_PROXIES"]),
    }),
    isSecure: readSwitch(env, "MULL_SECURE"),
    isClosed: readSwitch(env, "MULL_CLOSED"),
    ...(readSwitch(env, "MULL_USER_KEYS") && { hasUserKeys: true }),
    ...(env["MULL_SECRET"] && { secret: readSecret(env["MULL_SECRET"]) }),
    ...(env["DATABASE_URL"] && {
      databaseUrl: readDatabaseUrl(env["DATABASE_URL"], "DATABASE_URL"),
    }),
    dataFolder: env["MULL_DATA"] || "mull-data",
    ...(env["MULL_LOCK_URL"] && {
      lockUrl: readDatabaseUrl(env["MULL_LOCK_URL"], "MULL_LOCK_URL"),
    }),
    poolSize: readPoolSize(env["MULL_POOL_SIZE"] || "8"),
    ...(env["MULL_REDIS_URL"] && { redisUrl: readRedisUrl(env["MULL_REDIS_URL"]) }),
    ...(env["MULL_MODEL"] && { model: readModel(env["MULL_MODEL"]) }),
    ...(env["MULL_LEVEL"] && {
      level: readAs("MULL_LEVEL", parseLevel, env["MULL_LEVEL"]),
    }),
    fallback: readModels(env["MULL_FALLBACK"] ?? ""),
    paceMs: readMs(env, "MULL_PACE", 8),
    leaveMs: readSeconds(env, "MULL_LEAVE_SECONDS", 0),
    drainMs: readSeconds(env, "MULL_DRAIN_SECONDS", 10),
    limits: readLimits(env),
    leaseMs: readMs(env, "MULL_LEASE", 10_000),
    mcpServers: readServers(env["MULL_MCP"], env),
    approval: readApproval(env["MULL_APPROVAL"] || "writes"),
    telemetry: readTelemetry(env["MULL_OTEL"] || "0"),
  };
}

/** Settings of a server that others can reach, or that shares its store. */
const settingsForOthers = [
  "MULL_HOSTS",
  "MULL_SECURE",
  "DATABASE_URL",
  "MULL_TRUSTED_PROXIES",
  "MULL_ALLOW_REMOTE",
  "MULL_CLOSED",
] as const;

/**
 * Whether one person may use the server without an account. A proxy in front of loopback needs
 * `MULL_HOSTS`.
 */
export const isForOnePerson = (env: Environment, host: string): boolean =>
  loopback.has(host) && settingsForOthers.every((name) => !env[name]);

/** Refuses provider addresses that can't work, before the first question does. */
export function checkAddresses(env: Environment): void {
  for (const { baseUrlVariable: name } of providers) {
    const address = env[name];
    if (address && !(/^https?:\/\//i.test(address) && URL.canParse(address))) {
      throw badRequest(name, "an address such as https://llm.example.com/v1");
    }
  }
}

/** A value such as `true` must not mean "no": an open door must not look shut. */
const readSwitch = (env: Environment, name: string): boolean => {
  const value = env[name] || "0";
  if (value !== "0" && value !== "1") throw badRequest(name, "1 or 0");
  return value === "1";
};

const readTelemetry = (value: string): ServerConfig["telemetry"] => {
  if (value === "content") return value;
  if (value !== "0" && value !== "1") throw badRequest("MULL_OTEL", "1, content or 0");
  return value === "1" ? "on" : "off";
};

const readApproval = (value: string): McpApproval => {
  if (value === "writes" || value === "always" || value === "never") return value;
  throw badRequest("MULL_APPROVAL", "writes, always or never");
};

/** As browsers spell it in their headers. */
const readHost = (given: string): string => {
  const isName = /^[^/:@?#]+$|^\[[\da-f:.]+\]$/i.test(given) && URL.canParse(`http://${given}`);
  if (!isName) throw badRequest("MULL_HOSTS", "host names without scheme, port or path");
  return new URL(`http://${given}`).hostname;
};

/** What the library refuses, with the name of the setting. */
const readAs = <T>(name: string, read: (text: string) => T, value: string): T => {
  try {
    return read(value);
  } catch (error) {
    if (!isMullError(error)) throw error;
    const { category, code, allowed } = error;
    throw new MullError(`${name}: ${error.message}`, {
      category,
      field: name,
      ...(code !== undefined && { code }),
      ...(allowed !== undefined && { allowed }),
    });
  }
};

const readModel = (model: string): string => {
  readAs("MULL_MODEL", resolveModel, model);
  return model;
};

const readModels = (given: string): readonly string[] => {
  const models = given.split(/[\s,]+/).filter(Boolean);
  for (const model of models) readAs("MULL_FALLBACK", resolveModel, model);
  return models;
};

const readSecret = (secret: string): string => {
  if (secret.length < 32) throw badRequest("MULL_SECRET", "at least 32 random characters");
  return secret;
};

/** The error doesn't repeat the value: it contains a password. */
const readDatabaseUrl = (url: string, name: string): string => {
  const isPostgres = /^postgres(?:ql)?:\/\//i.test(url);
  if (!isPostgres) throw badRequest(name, "postgres://user:password@host/database");
  return url;
};

const readRedisUrl = (url: string): string => {
  const isRedis = /^rediss?:\/\//i.test(url) && URL.canParse(url);
  if (!isRedis) throw badRequest("MULL_REDIS_URL", "redis://user:password@host:6379");
  return url;
};

const readPoolSize = (given: string): number => {
  const size = Number(given);
  const isSize = Number.isInteger(size) && size >= 1 && size <= 1000;
  if (!isSize) throw badRequest("MULL_POOL_SIZE", "1 to 1000 connections");
  return size;
};

/** Refuse it at the start, not with the first request. */
const readTrusted = (given: string): string => {
  readProxies(given);
  return given;
};

const readMs = (env: Environment, name: string, otherwise: number): number => {
  const ms = Number(env[name] || otherwise);
  if (!(ms >= 0 && ms <= 600_000)) throw badRequest(name, "0 to 600000 milliseconds");
  return ms;
};

/** In milliseconds. */
const readSeconds = (env: Environment, name: string, otherwise: number): number => {
  const seconds = Number(env[name] || otherwise);
  if (!(seconds >= 0 && seconds <= 86_400)) throw badRequest(name, "0 to 86400 seconds");
  return seconds * 1000;
};

/** JSON in the form that other programs read, or the path of a file that contains it. */
function readServers(given: string | undefined, env: Environment): McpServers {
  if (given === undefined || given === "") return {};
  const json = /^\s*[{[]/.test(given) ? given : readMcpFile(given);
  try {
    return readMcpServers(json, env);
  } catch (error) {
    throw badRequest(
      "MULL_MCP",
      `{"mcpServers": {"files": {"command": "…", "args": []}}}, or a file with it (${(error as Error).message})`,
    );
  }
}

function readMcpFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw badRequest("MULL_MCP", "JSON, or a file that can be read");
  }
}

/**
 * Providers with a key are asked. The emulator answers for the others until the first key is set;
 * after that, a made-up answer would look like a real one. `MULL_SIMULATE=1` keeps the emulator.
 */
export function chooseUpstream(
  env: Environment,
  emulator: Fetch,
): (provider: Provider) => Upstream {
  const simulated: Upstream = {
    fetch: emulator,
    env: {},
    apiKey: "simulated",
    isSimulated: true,
  };
  const isSet = (provider: Provider): boolean =>
    findKey(provider, env) !== undefined || Boolean(env[provider.baseUrlVariable]);
  const isReal = hasAnyKey(env) || providers.some(({ baseUrlVariable }) => env[baseUrlVariable]);
  const simulates = readSwitch(env, "MULL_SIMULATE") || !isReal;
  return (provider) =>
    simulates && !isSet(provider)
      ? simulated
      : { env, isSimulated: false, hasKey: isSet(provider) || provider.auth === "none" };
}

/** Values that must not appear in any answer or log. */
export const secretsIn = (env: Environment): readonly string[] => [
  ...providers.flatMap((provider) => findKey(provider, env) ?? []),
  ...["DATABASE_URL", "MULL_LOCK_URL", "MULL_REDIS_URL", "MULL_SECRET"].flatMap(
    (name) => env[name] || [],
  ),
];
