import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres, type LocalPostgres } from "@mull/store/testing";
import { startGuardian } from "../guardian.ts";
import { startRedis, type LocalRedis } from "../local-redis.ts";

/** What several servers share. It is removed with this program, however it ends. */
export interface Databases {
  readonly postgres: LocalPostgres;
  /** Left out if the machine has none. */
  readonly redis?: LocalRedis;
  readonly end: () => Promise<void>;
}

/** `undefined` if the machine has no Postgres. */
export async function startDatabases(
  settings: readonly string[] = [],
): Promise<Databases | undefined> {
  const postgres = await startPostgres(settings);
  if (postgres === undefined) {
    console.log("left out: there is no Postgres under /usr/lib/postgresql");
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), "mull-load-"));
  const guardian = await startGuardian(folder, postgres.folder);
  const redis = await startRedis();
  if (redis === undefined) console.log("left out: there is no Redis in /usr/bin");
  else await guardian.watch("redis", redis.pid());
  return {
    postgres,
    ...(redis !== undefined && { redis }),
    end: async () => {
      await redis?.stop();
      await postgres.remove();
      guardian.dismiss();
    },
  };
}
