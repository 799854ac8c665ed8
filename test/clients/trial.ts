import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { calls, says, stalls, thinks, type Action, type PlannedFaults } from "@mull/emulator";
import {
  firstResult,
  secondResult,
  type Call,
  type Client,
  type Task,
  type Vendor,
} from "./clients.ts";
import { startUpstream, type Upstream } from "./upstream.ts";

const mull = join(import.meta.dirname, "../../packages/cli/dist/main.js");
const picture = join(import.meta.dirname, "dot.png");

/** What a trial showed. */
export interface Outcome {
  readonly ok: boolean;
  /** Thoughts of earlier steps that reached their model again, of two. */
  readonly thoughts?: number;
  /** Why it failed, or what is worth knowing. */
  readonly note: string;
  readonly printed: string;
}

const question = "Use two tools and add the two numbers.";
const said = "Together they are 42.";

const act = ({ tool, input }: Call): Action => calls(tool, input);

/** What the scripted model does, answer by answer. */
function answersFor(task: Task, client: Client, folder: string): readonly (readonly Action[])[] {
  switch (task) {
    case "loop":
    case "resume": {
      const [first, second] = client.calls(folder);
      return [
        [thinks("First the one number."), act(first)],
        [thinks("Then the other."), act(second)],
        [thinks("Now the sum."), says(said)],
        [thinks("The same again."), says(`Again: ${said}`)],
      ];
    }
    case "image":
      return client.image === "question"
        ? [[says(said)]]
        : [[thinks("Look at it."), act(client.image(folder))], [says(said)]];
    case "cancel":
      return [[says("It begins."), stalls(60_000, "after"), says(said)]];
    case "wrong-key":
    case "overload":
      return [[says(said)]];
    default:
      return task satisfies never;
  }
}

function faultsFor(task: Task, { overload }: Vendor): PlannedFaults | undefined {
  if (task === "wrong-key") return { faults: "status=401" };
  return task === "overload" ? { faults: `status=${overload}:seconds:1000`, times: 1 } : undefined;
}

/** Runs one client once against one vendor, through `mull run`. */
export async function tryClient(
  client: Client,
  vendor: Vendor,
  task: Task,
  limitMs = 90_000,
): Promise<Outcome> {
  const home = mkdtempSync(join(tmpdir(), "mull-client-"));
  const folder = join(home, "work");
  mkdirSync(folder);
  writeFileSync(join(folder, "second.txt"), `${secondResult}\n`);
  copyFileSync(picture, join(folder, "dot.png"));
  const turns = answersFor(task, client, folder);
  const upstream = await startUpstream([{ turns }], faultsFor(task, vendor));
  try {
    const ran = await runThrough(client, vendor, task, { home, folder, upstream, limitMs });
    return judge[task](ran, upstream);
  } finally {
    await upstream.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

interface Ran {
  readonly code: number | null;
  readonly printed: string;
  readonly isOverdue: boolean;
  readonly hasLeft: boolean;
}

async function runThrough(
  client: Client,
  { ref }: Vendor,
  task: Task,
  at: { home: string; folder: string; upstream: Upstream; limitMs: number },
): Promise<Ran> {
  const first = client.args(task, question, at.folder);
  const ran = await runOnce(client, ref, task, first, at);
  if (task !== "resume" || ran.code !== 0) return ran;
  const again = client.resume?.("What was the sum?") ?? [];
  return runOnce(client, ref, task, again, at);
}

async function runOnce(
  client: Client,
  ref: string,
  task: Task,
  args: readonly string[],
  at: { home: string; folder: string; upstream: Upstream; limitMs: number },
): Promise<Ran> {
  const line = [...client.command, ...args];
  const child = spawn(process.execPath, [mull, "run", ref, "--", ...line], {
    cwd: at.folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: at.home,
      TMPDIR: tmpdir(),
      LANG: "C.UTF-8",
      ...at.upstream.env,
      ...client.env,
    },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  let isOverdue = false;
  let hasLeft = false;
  void at.upstream.left.then(() => (hasLeft = true));
  const timer = setTimeout(() => {
    isOverdue = true;
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), 5000).unref();
  }, at.limitMs);
  const ended = new Promise<number | null>((done) => child.once("close", done));
  if (task === "cancel" && client.isSdk !== true) {
    await Promise.race([at.upstream.asked, ended]);
    child.kill("SIGINT");
  }
  const code = await ended;
  clearTimeout(timer);
  return { code, printed, isOverdue, hasLeft };
}

const failed = (ran: Ran, note: string): Outcome => ({
  ok: false,
  note: ran.isOverdue ? `did not end: ${note}` : note,
  printed: ran.printed,
});

const lastBody = (upstream: Upstream): string =>
  JSON.stringify(upstream.journal().findLast(({ verdict }) => verdict === "answered")?.body ?? "");

const refusals = (upstream: Upstream): string =>
  upstream
    .journal()
    .flatMap(({ verdict, rule, message }) => (verdict === "refused" ? [rule ?? message ?? ""] : []))
    .join(", ");

/** Seals that stand in a request: each is one thought that its model reads again. */
const countSeals = (body: string): number =>
  [
    ...body.matchAll(
      /"(?:signature|encrypted_content|thoughtSignature|thought_signature)":"[^"]{20,}"/g,
    ),
  ].length;

const hasAnswered = ({ printed, code }: Ran): boolean => printed.includes(said) && code === 0;

const judge: Readonly<Record<Task, (ran: Ran, upstream: Upstream) => Outcome>> = {
  loop: (ran, upstream) => {
    const body = lastBody(upstream);
    const refused = refusals(upstream);
    if (!hasAnswered(ran)) return failed(ran, refused || `exit ${ran.code}`);
    if (!body.includes(firstResult) || !body.includes(secondResult))
      return failed(ran, "a tool's result did not arrive");
    if (refused !== "") return failed(ran, `refused: ${refused}`);
    return { ok: true, thoughts: countSeals(body), note: "", printed: ran.printed };
  },
  resume: (ran, upstream) => {
    const body = lastBody(upstream);
    const refused = refusals(upstream);
    if (!hasAnswered(ran) || !ran.printed.includes("Again"))
      return failed(ran, refused || `exit ${ran.code}`);
    if (!body.includes(firstResult) || !body.includes(secondResult))
      return failed(ran, "a tool's result did not come back");
    if (refused !== "") return failed(ran, `refused: ${refused}`);
    return { ok: true, thoughts: countSeals(body), note: "", printed: ran.printed };
  },
  image: (ran, upstream) => {
    if (!hasAnswered(ran)) return failed(ran, refusals(upstream) || `exit ${ran.code}`);
    // Clients may pack the picture anew; what counts is that one arrives.
    const hasImage = /"(?:data|image_url|url)":"(?:data:image\/[a-z]+;base64,)?[\w+/=]{60,}"/.test(
      lastBody(upstream),
    );
    return hasImage
      ? { ok: true, note: "", printed: ran.printed }
      : failed(ran, "no image arrived");
  },
  cancel: (ran) =>
    ran.hasLeft && !ran.isOverdue
      ? { ok: true, note: "", printed: ran.printed }
      : failed(ran, ran.hasLeft ? "" : "the service was not left"),
  "wrong-key": (ran, upstream) =>
    ran.code === 0 || ran.isOverdue || upstream.journal().length === 0
      ? failed(ran, `exit ${ran.code}`)
      : { ok: true, note: `${upstream.journal().length}×`, printed: ran.printed },
  overload: (ran, upstream) =>
    hasAnswered(ran)
      ? { ok: true, note: `${upstream.journal().length}×`, printed: ran.printed }
      : failed(ran, `exit ${ran.code}`),
};
