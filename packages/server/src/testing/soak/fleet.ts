import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startPostgres, type LocalPostgres } from "@mull/store/testing";
import { startServer, untilReady, type ChildServer } from "../child-server.ts";
import { startUpstream } from "../load/servers.ts";
import { startProxy, type ProxyName } from "../local-proxy.ts";
import { startRedis, type LocalRedis } from "../local-redis.ts";
import { startGuardian, type Guardian } from "../guardian.ts";

/** Servers behind a proxy that share a Postgres, and a Redis if the machine has one. */
export interface Fleet {
  /** The address of the proxy. */
  readonly url: string;
  readonly servers: readonly FleetServer[];
  readonly postgres: LocalPostgres;
  readonly redis: LocalRedis | undefined;
  /** Redis was restarted and is another process now. */
  readonly startRedis: () => Promise<void>;
  readonly clear: () => Promise<void>;
}

export interface FleetServer {
  readonly url: string;
  /** Kills it and starts it again in its place. */
  readonly crash: () => Promise<void>;
  /** Stops it as a supervisor does, and starts it again. Returns its exit code. */
  readonly restart: () => Promise<number | null>;
  /** Names of all log lines it wrote, across restarts. */
  readonly said: () => readonly string[];
}

export interface FleetOptions {
  readonly servers: number;
  /** The server's program, bundled into one file. */
  readonly program: string;
  readonly env?: Readonly<Record<string, string>>;
  /** nginx if nothing else is said. */
  readonly proxy?: ProxyName;
}

/** `undefined` if the machine has no Postgres or not this proxy. */
export async function startFleet(options: FleetOptions): Promise<Fleet | undefined> {
  const postgres = await startPostgres();
  if (postgres === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "mull-fleet-"));
  const guardian = await startGuardian(folder, postgres.folder);
  const ends: (() => Promise<unknown>)[] = [
    async () => guardian.dismiss(),
    () => postgres.remove(),
  ];
  const clear = async (): Promise<void> => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  try {
    const ports: number[] = [];
    while (ports.length < options.servers) ports.push(await freePort());
    const proxy = await startProxy(options.proxy ?? "nginx", ports, folder);
    if (proxy === undefined) {
      await clear();
      return undefined;
    }
    ends.push(proxy.stop);
    await guardian.watch("proxy", proxy.pid);
    const redis = await startRedis();
    if (redis !== undefined) {
      ends.push(redis.stop);
      await guardian.watch("redis", redis.pid());
    }
    const upstream = await startUpstream();
    ends.push(upstream.close);
    const env = {
      DATABASE_URL: postgres.url,
      ...(redis !== undefined && { MULL_REDIS_URL: redis.url }),
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${upstream.port}`,
      ANTHROPIC_API_KEY: "fleet",
      MULL_MODEL: "claude-haiku-4-5",
      MULL_LOG: "on",
      ...options.env,
    };
    const servers: FleetServer[] = [];
    for (const port of ports) {
      const start = (): Promise<ChildServer> =>
        startServer({ ...env, PORT: String(port) }, options.program);
      const { end, ...server } = await startOne(`server-${port}`, start, guardian);
      ends.push(end);
      servers.push(server);
    }
    return {
      url: proxy.url,
      servers,
      postgres,
      redis,
      startRedis: async () => {
        await redis?.start();
        await guardian.watch("redis", redis?.pid() ?? 0);
      },
      clear,
    };
  } catch (error) {
    await clear();
    throw error;
  }
}

async function startOne(
  name: string,
  start: () => Promise<ChildServer>,
  guardian: Guardian,
): Promise<FleetServer & { readonly end: () => Promise<void> }> {
  const lives: ChildServer[] = [];
  const begin = async (): Promise<void> => {
    const server = await start();
    lives.push(server);
    await guardian.watch(name, server.pid);
    await untilReady(server.url);
  };
  const now = (): ChildServer => lives.at(-1)!;
  const end = async (): Promise<void> => {
    await now().kill();
    await guardian.forget(name);
  };
  await begin();
  return {
    url: now().url,
    end,
    crash: async () => {
      await end();
      await begin();
    },
    restart: async () => {
      const code = await now().terminate();
      await begin();
      return code;
    },
    said: () => lives.flatMap((life) => eventsIn(life.said())),
  };
}

const eventsIn = (log: string): readonly string[] =>
  [...log.matchAll(/^\{.*?"event":"([\w-]+)"/gm)].map(([, event = ""]) => event);
