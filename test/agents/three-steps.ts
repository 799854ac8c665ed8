import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { calls, emulate, says, script, thinks, type Emulator } from "@mull/emulator";
import { Agent, tool, type AgentOptions, type AgentStream } from "mull";

/** Three answers: two calls at once, a call, the end. Stateless: which is next shows in the history. */
export const threeSteps = (): Emulator =>
  emulate({
    // Another process opens the same seals.
    secret: "kept",
    scripts: [
      script({ turn: 1 }, [thinks("Both."), calls("read", { of: 1 }), calls("charge", { sum: 5 })]),
      script({ turn: 2 }, [says("Noting it."), calls("note", { text: "paid" })]),
      script({ turn: 3 }, [says("All is done.")]),
    ].map((part) => ({ ...part, repeat: true })),
  });

/** A folder with what was saved last, and a line for each run of a tool. */
export const filesIn = (folder: string) => {
  const log = join(folder, "runs.txt");
  const saved = join(folder, "agent.json");
  return {
    log: (name: string): void => appendFileSync(log, `${name}\n`),
    runs: (): readonly string[] =>
      existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [],
    save: (agent: Agent): void => {
      writeFileSync(`${saved}.new`, JSON.stringify(agent));
      renameSync(`${saved}.new`, saved);
    },
    saved: (): string | undefined => (existsSync(saved) ? readFileSync(saved, "utf8") : undefined),
  };
};

export type Files = ReturnType<typeof filesIn>;

/** What a process does while it plays: it may end at any of these places. */
export interface Playing {
  readonly onEvent: (count: number) => unknown;
  /** A tool begins, and has done what it does. */
  readonly onRun?: (name: string, place: "before" | "after") => unknown;
}

const optionsFor = ({ log }: Files, fetch: Emulator, onRun: Playing["onRun"]): AgentOptions => {
  const runs = (name: string, idempotent: boolean) =>
    tool({
      name,
      idempotent,
      run: async () => {
        await onRun?.(name, "before");
        log(name);
        await onRun?.(name, "after");
        return `${name} is done`;
      },
    });
  const tools = [runs("read", true), runs("charge", false), runs("note", true)];
  return { tools, fetch, apiKey: "emulated", toolConcurrency: 1 };
};

/**
 * Begins the turn, or goes on with the one that was saved, and saves after every event. `onEvent` is told
 * how many there were. What may have run is looked up, as a program would look up a payment.
 */
export async function playOn(
  model: string,
  files: Files,
  fetch: Emulator,
  { onEvent, onRun }: Playing,
): Promise<Agent | undefined> {
  const saved = files.saved();
  const options = optionsFor(files, fetch, onRun);
  const agent = saved === undefined ? new Agent(model, options) : Agent.restore(saved, options);
  for (const { call, why } of await agent.pendingCalls()) {
    if (why !== "interrupted") throw new Error(why);
    const hasRun = files.runs().includes(call.name);
    agent.decide(call.id, hasRun ? { output: `${call.name} is done` } : "run");
  }
  files.save(agent);
  let stream: AgentStream | undefined;
  if (agent.history.length === 0) stream = agent.sendStream("Read, charge and note it.");
  else if (agent.isOpen) stream = agent.resumeStream();
  let count = 0;
  for await (const _ of stream?.events() ?? []) {
    files.save(agent);
    count += 1;
    await onEvent(count);
  }
  return agent;
}
