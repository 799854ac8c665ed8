import type { Loaded, Stage } from "../children.ts";
import { call, newConversation, repeat, signUp, streamOf, type Target } from "../client.ts";
import { startDatabases } from "../databases.ts";
import { median, ms, pause, ratios, shuffled, spread, type Line, type Row } from "../row.ts";
import type { ServerPlan } from "../servers.ts";
import { createStampReader } from "../stamps.ts";

const streams = 50;
const perSecond = 30;
const seconds = 8;
const events = perSecond * seconds;
const rounds = 3;
const warmUps = 3;

type Who = "bare" | "ai-sdk" | "postgres" | "redis";

interface Pace {
  /** Microseconds of all threads. */
  readonly perEvent: number;
  readonly firstByteMs: number;
  readonly lost: number;
}

/** A server and its users, a different one for every stream. */
interface Asked {
  readonly who: Who;
  readonly server: Loaded;
  readonly askers: readonly Target[];
}

async function startAsked(stage: Stage, who: Who, plan: ServerPlan): Promise<Asked> {
  const server = await stage.start(plan);
  const askers: Target[] = [];
  while (askers.length < streams) askers.push(server.isMull ? await signUp(server) : server);
  return { who, server, askers };
}

/** Streams that start within a second and continue at the pace of a model. */
async function measurePace({ server, askers }: Asked): Promise<Pace> {
  const before = await server.read();
  const waits: number[] = [];
  let came = 0;
  await repeat(streams, streams, async (at) => {
    await pause((at / streams) * 1000);
    const read = createStampReader(() => came++);
    const asker = askers[at] ?? server;
    const request = streamOf(asker, { kind: "paced", events, perSecond }, newConversation());
    const answer = await call(asker, request, (text) => read(Buffer.from(text)));
    waits.push(answer.firstByteMs);
  });
  const after = await server.read();
  return {
    perEvent: (after.allThreads - before.allThreads) / 1000 / (streams * events),
    firstByteMs: median(waits),
    lost: streams * events - came,
  };
}

interface Comparison {
  readonly measure: string;
  readonly of: "perEvent" | "firstByteMs";
  readonly own: Who;
  readonly beside: Who;
  readonly most?: number;
}

const pace = `${streams} streams at ${perSecond} events/s`;
const comparisons: readonly Comparison[] = [
  {
    measure: `${pace} on Postgres, all threads, per event`,
    of: "perEvent",
    own: "postgres",
    beside: "bare",
    most: 3,
  },
  { measure: "the same", of: "perEvent", own: "postgres", beside: "ai-sdk", most: 1 },
  {
    measure: "the same, first byte",
    of: "firstByteMs",
    own: "postgres",
    beside: "ai-sdk",
    most: 1,
  },
  {
    measure: `${pace} on Postgres with Redis, all threads, per event`,
    of: "perEvent",
    own: "redis",
    beside: "bare",
    most: 3,
  },
];

const names: Readonly<Record<Who, string>> = {
  bare: "bare",
  "ai-sdk": "AI SDK + Express",
  postgres: "mull",
  redis: "mull",
};

function lineOf(found: ReadonlyMap<Who, readonly Pace[]>, comparison: Comparison): Line {
  const { measure, of, own, beside, most } = comparison;
  const valuesOf = (who: Who): readonly number[] => found.get(who)!.map((each) => each[of]);
  const write = (who: Who): string => {
    const value = median(valuesOf(who));
    return of === "firstByteMs" ? ms(value) : `${value.toFixed(0)} µs`;
  };
  const each = ratios(valuesOf(own), valuesOf(beside));
  const lost = found.get(own)!.reduce((sum, one) => sum + one.lost, 0);
  return {
    measure,
    mull: `${write(own)}, ${lost} lost`,
    beside: `${names[beside]} ${write(beside)}`,
    ratio: spread(each),
    target: most === undefined ? "" : `≤ ${most} x`,
    ...(most !== undefined && { holds: median(each) <= most && lost === 0 }),
  };
}

async function run(stage: Stage): Promise<readonly Line[]> {
  const databases = await startDatabases();
  if (databases === undefined) return [];
  try {
    const { postgres, redis } = databases;
    const upstream = (await stage.start({ kind: "upstream" })).port;
    const plans: readonly (readonly [Who, ServerPlan])[] = [
      ["bare", { kind: "bare" }],
      ["ai-sdk", { kind: "ai-sdk", upstream }],
      ["postgres", { kind: "mull", upstream, postgres: postgres.url }],
      ...(redis === undefined
        ? []
        : [
            [
              "redis",
              { kind: "mull", upstream, redis: redis.url, postgres: postgres.url },
            ] as const,
          ]),
    ];
    const all: Asked[] = [];
    for (const [who, plan] of plans) all.push(await startAsked(stage, who, plan));
    // V8 compiles code for three of these rounds, and the pool opens its connections: a server that
    // runs for days doesn't notice.
    for (let round = 0; round < warmUps; round++) for (const each of all) await measurePace(each);
    const found = new Map(all.map(({ who }): [Who, Pace[]] => [who, []]));
    for (let round = 0; round < rounds; round++) {
      for (const each of shuffled(all)) found.get(each.who)!.push(await measurePace(each));
    }
    return comparisons
      .filter(({ own }) => found.has(own))
      .map((comparison) => lineOf(found, comparison));
  } finally {
    await stage.clear();
    await databases.end();
  }
}

export const onPostgres: Row = { name: "postgres", run };
