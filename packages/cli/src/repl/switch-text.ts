import {
  describePlan,
  estimateTokens,
  type ChatTarget,
  type Composed,
  type Message,
  type ThinkingPlan,
  type ToolResultPart,
} from "mull";
import { grouped, plural } from "mull/wire";
import { dollars } from "./format.ts";
import type { ChatSession } from "./session.ts";

/** What `/model` prints: the plan's own lines, and with a history what the switch does to it. */
export interface SwitchText {
  readonly lines: readonly string[];
  /** Dim, after an empty line. */
  readonly notes: readonly string[];
}

/** `messages` are those the next request is built on: fewer than all when a question is asked again. */
export function switchText(
  session: ChatSession,
  plan: ThinkingPlan,
  { isRunning, messages }: { readonly isRunning: boolean; readonly messages: readonly Message[] },
): SwitchText {
  const lines = describePlan(plan);
  // A new conversation gets only the plan, but an unknown model name may be a typo.
  if (messages.length === 0)
    return {
      lines,
      notes: plan.notes
        .filter(({ code }) => code === "assumed-model")
        .map(({ message }) => message),
    };
  const composed = composeQuietly(session, messages, isRunning);
  if (isRunning) return { lines: [...lines, ...loopLines(session, composed, messages)], notes: [] };
  return {
    lines,
    notes: [
      ...cacheNotes(session, messages),
      ...withheldNotes(composed, messages, (count) =>
        count === 1
          ? "stays here, withheld until you go back."
          : "stay here, withheld until you go back.",
      ),
      ...plan.notes.filter(isAboutModel).map((note) => note.message),
    ],
  };
}

const isAboutModel = ({ code }: { readonly code: string }): boolean =>
  ["never-served", "retired", "deprecated", "rerouted", "assumed-model"].includes(code);

/** Predicts the next request; a history that cannot be compiled yet predicts nothing. */
function composeQuietly(
  session: ChatSession,
  messages: readonly Message[],
  isRunning: boolean,
): Composed | undefined {
  try {
    return session.composeNext(session.target, isRunning ? answered(messages) : messages);
  } catch {
    return undefined;
  }
}

/** Calls that run now will have results when the next step is asked for. */
function answered(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return messages;
  const parts = last.parts.flatMap((part): readonly ToolResultPart[] =>
    part.type === "tool-call"
      ? [{ type: "tool-result", callId: part.id, name: part.name, output: "…" }]
      : [],
  );
  return parts.length === 0 ? messages : [...messages, { role: "tool", parts }];
}

function loopLines(
  { answering, target }: ChatSession,
  composed: Composed | undefined,
  messages: readonly Message[],
): readonly string[] {
  const open = composed?.notes.find(({ code }) => code === "open-loop");
  const effects = [
    ...(open === undefined ? [] : [`  ⚠ ${open.message}   rule anthropic/leading-thinking`]),
    ...withheldNotes(composed, messages, () => "withheld, restored if you go back.").map(
      (note) => `  ${note}`,
    ),
  ];
  const next = target.model.id;
  const when =
    answering === undefined || answering === next
      ? "From the next step of this turn"
      : `${answering} is finishing this step, then ${next}`;
  return [`  ${when}${effects.length === 0 ? "." : ":"}`, ...effects];
}

function withheldNotes(
  composed: Composed | undefined,
  messages: readonly Message[],
  what: (count: number) => string,
): readonly string[] {
  const counts = new Map<string, number>();
  for (const { message } of composed?.prepared.withheld ?? []) {
    const source = messages[message];
    const model = source?.role === "assistant" ? (source.origin?.model ?? "another model") : "";
    if (model !== "") counts.set(model, (counts.get(model) ?? 0) + 1);
  }
  return [...counts].map(
    ([model, count]) => `${plural(count, "sealed thought")} of ${model} ${what(count)}`,
  );
}

function cacheNotes(session: ChatSession, messages: readonly Message[]): readonly string[] {
  const usage = session.answers.findLast(({ after }) => after <= messages.length)?.usage;
  const cached = (usage?.cacheRead ?? 0) + (usage?.cacheWrite ?? 0);
  if (cached === 0) return [];
  const isWhole = messages.length === session.history.length;
  const tokens = isWhole ? session.contextTokens : estimateTokens(messages);
  const price = session.target.model.price;
  const about = price === undefined ? "" : `, about ${dollars((tokens * price.input) / 1_000_000)}`;
  return [`Next message re-reads ${grouped(tokens)} cached tokens${about}; /new avoids it.`];
}

/** What a turn of the dial would cost now, on each model of the conversation. */
export function turningText(
  session: ChatSession,
  targets: readonly ChatTarget[],
): string | undefined {
  const tokens = session.contextTokens;
  const words = targets.map(({ model }) => {
    if (model.effortUpdates) return `free on ${model.id}`;
    if (model.price === undefined) return `not known on ${model.id}`;
    return `$${((tokens * model.price.input) / 1_000_000).toFixed(2)} on ${model.id}`;
  });
  return words.length === 0 ? undefined : `Turning the dial now: ${words.join(", ")}.`;
}
