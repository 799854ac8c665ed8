import type { McpTools } from "@mull/mcp";
import { Lexer } from "marked";
import { describeRoom } from "mull";
import { loadKeys } from "../config/keys.ts";
import { pathsOf } from "../config/paths.ts";
import { version } from "../frame/version.ts";
import { chooseBackend } from "../session/backend.ts";
import { tellWait } from "../session/tell-wait.ts";
import { openMcp, startingMcp } from "../tools/mcp-servers.ts";
import { builtInTools } from "../tools/tools.ts";
import type { LexInline } from "./inline.ts";
import type { ReplOptions } from "./options.ts";
import { ChatSession } from "./session.ts";
import type { Status } from "./status-line.ts";
import type { ReplClock } from "./terminal.ts";

/** As fast as a quick model writes, so that a chat without a key looks like one with. */
const pace = "latency=300; pace=16";

export interface SessionSetup {
  readonly clock: ReplClock;
  readonly say: (message: string) => void;
  /** It says all the time that answers are simulated, so that they need not. */
  readonly hasStatusLine?: boolean;
  /** A try failed for this reason, and the next one is so many milliseconds away. */
  readonly wait: (ms: number, why: string) => void;
  /** The person leaves before the chat is open. */
  readonly leaving?: AbortSignal;
}

async function openServers(
  { mcp, io }: ReplOptions,
  { clock, say, leaving }: SessionSetup,
): Promise<McpTools | undefined> {
  if (mcp === undefined) return undefined;
  const cancel = clock.after(1000, () => say(startingMcp));
  const servers = openMcp(mcp, io, {
    ...(leaving !== undefined && { signal: leaving }),
    onTrouble: (_, error) => say(`⚠ ${error.message}. The chat continues without its tools.`),
  });
  return servers.finally(cancel);
}

/** Everything that takes time to load; the prompt is on the screen before it. */
export async function openSession(options: ReplOptions, setup: SessionSetup): Promise<ChatSession> {
  const { clock, say, wait, hasStatusLine = false } = setup;
  const { io, settings } = options;
  const simulation = { pace, note: !hasStatusLine };
  const env = loadKeys(io, (message) => say(message.trim()));
  const backend =
    options.backend ??
    (await chooseBackend({ ...settings, env, simulate: options.simulate === true, simulation }));
  const tools = options.tools ?? builtInTools();
  const mcp = await openServers(options, setup);
  const session = new ChatSession({
    backend: { ...backend, options: { ...backend.options, sleep: tellWait(clock, wait) } },
    clock,
    tools: () => [...tools, ...(mcp?.tools ?? [])],
    ...(mcp !== undefined && { onEnd: mcp.close }),
    ...(options.allow !== undefined && { allow: options.allow }),
    ...(settings.system !== undefined && { system: settings.system }),
    ...(settings.maxOutput !== undefined && { maxOutputTokens: settings.maxOutput }),
    ...(options.fallback !== undefined && { fallback: options.fallback }),
    ...(options.cache !== undefined && { cache: options.cache }),
    ...(options.isModelGiven && { isModelFixed: true }),
    ...(options.isLevelGiven && { isLevelFixed: true }),
    ...(settings.repair === false && { heal: "fail" as const }),
    ...(settings.save !== false && { folder: pathsOf(io).conversations }),
    onTrouble: (message) =>
      say(`⚠ Not saved: ${message} The chat continues; the answer so far is on the screen.`),
  });
  if (options.thinkingBudget !== undefined) session.use(session.target, options.thinkingBudget);
  return session;
}

export const lexInline: LexInline = (source) => Lexer.lexInline(source);

/** What the first lines say. */
export function bannerLines({ isSimulated }: ChatSession, isAsked: boolean): readonly string[] {
  const title = `mull ${version()} · one thinking dial for every model`;
  if (isSimulated && isAsked)
    return [title, "  Simulated, as asked: answers come from the built-in emulator, by rule."];
  if (!isSimulated) return [title, "  /help lists commands, ? lists keys"];
  return [
    title,
    "  No API key found: answers come from the built-in emulator. It thinks and answers by rule. Good for trying the dial, not for facts.",
    "  Real model   export ANTHROPIC_API_KEY=…   (or OPENAI_, GOOGLE_)  or  /keys",
    "  Try          What is 23 * 47?        /model gpt-6-sol/high        /help",
  ];
}

/** Says so when a newer version is out. */
export async function askForUpdate({ io, fetch }: ReplOptions): Promise<string | undefined> {
  const { updateNotice } = await import("./update-notice.ts");
  return updateNotice({ io, fetch: fetch ?? globalThis.fetch, version: version() });
}

/** The facts of the status line. */
export function statusOf(session: ChatSession, hint: string): Status {
  const { target } = session;
  const paid = [...session.answers, ...session.takenBack];
  const plan = session.plan();
  const isMoved = plan.applied !== plan.asked && plan.asked !== "auto";
  return {
    model: target.model.id,
    isSimulated: session.isSimulated,
    level:
      plan.askedBudget === undefined
        ? plan.asked
        : describeRoom(plan).replace(/^.*thinking (\S+) .*$/, "$1"),
    ...(isMoved && plan.askedBudget === undefined && { applied: plan.applied }),
    context: session.contextTokens,
    ...(target.model.window !== undefined && { window: target.model.window }),
    cost: paid.reduce((sum, { cost }) => sum + (cost?.total ?? 0), 0),
    isEstimate: paid.some(({ cost }) => cost === undefined || cost.estimated === true),
    hint,
  };
}

/** Vendor and kind of thinking of the model in use. */
export const currentOf = (
  session: ChatSession,
): { readonly vendor: string; readonly visible: string } => {
  const { visible } = session.plan();
  return {
    vendor: session.target.provider.name,
    visible: visible === "nothing" ? "hidden" : visible,
  };
};
