import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import { join } from "node:path";
import type { Order } from "./child.ts";
import type { Readings } from "./readings.ts";
import type { ServerPlan } from "./servers.ts";
import { signUp, type Target } from "./client.ts";

/** A server in a process of its own, and how to query it. */
export interface Loaded extends Target {
  readonly kind: ServerPlan["kind"];
  readonly read: (options?: { readonly collect?: boolean }) => Promise<Readings>;
  readonly kill: () => Promise<void>;
}

async function give<T>(child: ChildProcess, order: Order): Promise<T> {
  child.send(order);
  const [answer] = (await once(child, "message")) as [T];
  return answer;
}

/** Everything one run starts. It all ends with the run. */
export interface Stage {
  readonly start: (plan: ServerPlan, cookie?: string) => Promise<Loaded>;
  /** Longest block of any of our servers' event loops so far, in milliseconds. */
  readonly longestBlock: () => number;
  readonly clear: () => Promise<void>;
}

export function createStage(): Stage {
  const running = new Set<() => Promise<void>>();
  let longest = 0;

  const start = async (plan: ServerPlan, cookie?: string): Promise<Loaded> => {
    const child = fork(join(import.meta.dirname, "child.ts"), {
      execArgv: ["--import", "tsx", "--expose-gc"],
    });
    const ended = once(child, "exit");
    await once(child, "message");
    const { port } = await give<{ readonly port: number }>(child, { order: "start", plan });
    const agent = new Agent({ keepAlive: true });
    const kill = async (): Promise<void> => {
      running.delete(kill);
      agent.destroy();
      child.kill("SIGKILL");
      await ended;
    };
    running.add(kill);
    const target: Target = { port, agent, isMull: plan.kind === "mull", cookie: cookie ?? "" };
    const read: Loaded["read"] = async ({ collect = false } = {}) => {
      const readings = await give<Readings>(child, { order: "read", collect });
      if (plan.kind === "mull") longest = Math.max(longest, readings.longestBlock);
      return readings;
    };
    const signed = target.isMull && cookie === undefined ? await signUp(target) : target;
    // Don't count the cost of starting, or of loading the account library.
    await give<Readings>(child, { order: "read", collect: true });
    return { ...signed, kind: plan.kind, read, kill };
  };

  return {
    start,
    longestBlock: () => longest,
    clear: async () => {
      await Promise.all([...running].map((kill) => kill()));
    },
  };
}
