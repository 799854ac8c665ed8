import {
  compose,
  findModel,
  lint,
  providers,
  readExchange,
  repair,
  resolveModel,
  type AssistantMessage,
  type ChatTarget,
  type Finding,
  type Message,
  type ToolSpec,
} from "mull";

import { judge } from "./judge.ts";
import { ruleRequest } from "./request-view.ts";
import { sampleReplies } from "./sample-replies.ts";
import { readResults } from "./tool-results.ts";

const handoffKinds = ["between turns", "mid-loop", "parallel", "back again"] as const;
type HandoffKind = (typeof handoffKinds)[number];

interface MatrixFailure {
  readonly from: string;
  readonly to: string;
  readonly kind: HandoffKind;
  readonly reason: string;
}

interface MatrixRow {
  readonly from: string;
  readonly passed: number;
  readonly total: number;
}

export interface MatrixReport {
  readonly models: number;
  readonly passed: number;
  readonly total: number;
  readonly rows: readonly MatrixRow[];
  readonly failures: readonly MatrixFailure[];
}

const tools: readonly ToolSpec[] = [
  {
    name: "weather",
    description: "The weather of a city",
    inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
];

/** Refs of every model of the catalogue that thinks, each once, at the first who serves it. */
export function thinkingRefs(filter = ""): readonly string[] {
  const words = filter.split(",");
  const refs = new Map<string, string>();
  for (const provider of providers) {
    for (const { id, thinking } of provider.models) {
      if (thinking.kind !== "none" && !refs.has(id)) refs.set(id, `${provider.id}:${id}`);
    }
  }
  return [...refs.values()].filter((ref) => words.some((word) => ref.includes(word)));
}

/** A model with the answers it gives: in words, with one call, with two at once. */
interface Speaker {
  readonly ref: string;
  readonly target: ChatTarget;
  readonly answers: readonly [AssistantMessage, AssistantMessage, AssistantMessage];
}

/** Hands an answer of every model to every other in each kind of situation, and checks the request. */
export function runMatrix(refs: readonly string[]): MatrixReport {
  const speakers = refs.map(introduce);
  const failures: MatrixFailure[] = [];
  const total = (speakers.length - 1) * handoffKinds.length;
  const rows = speakers.map((from) => {
    const before = failures.length;
    for (const to of speakers) if (to !== from) failures.push(...failuresBetween(from, to));
    return { from: from.ref, passed: total - (failures.length - before), total };
  });
  const all = total * rows.length;
  return { models: refs.length, passed: all - failures.length, total: all, rows, failures };
}

function introduce(ref: string): Speaker {
  const target = resolveModel(`${ref}/high`);
  return { ref, target, answers: [answer(target, 0), answer(target, 1), answer(target, 2)] };
}

const failuresBetween = (from: Speaker, to: Speaker): readonly MatrixFailure[] =>
  handoffKinds.flatMap((kind) => {
    const reader = kind === "back again" ? from : to;
    const reason = troubleOf(reader.target, conversation(kind, from, to));
    return reason === undefined ? [] : [{ from: from.ref, to: to.ref, kind, reason }];
  });

/** What is wrong with the request that would go out; the pipeline's own repairs are made first. */
function troubleOf(target: ChatTarget, messages: readonly Message[]): string | undefined {
  try {
    const composed = compose(target, { messages, tools }, { modelOf: (id) => findModel(id) });
    const request = ruleRequest(composed, target);
    const known = { model: target.model, headers: {}, path: request.path ?? "" };
    const findError = (findings: readonly Finding[]): Finding | undefined =>
      findings.find((finding) => judge(finding, known).severity === "error");
    if (findError(lint(request).findings) === undefined) return undefined;
    const left = findError(repair(request).findings);
    return left && `${left.rule} at ${left.path}: ${left.message}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function conversation(kind: HandoffKind, from: Speaker, to: Speaker): readonly Message[] {
  const question = says("What is the weather?");
  if (kind === "between turns") return [question, from.answers[0], says("Yes, please.")];
  const calling = from.answers[kind === "parallel" ? 2 : 1];
  const results = readResults(kind === "parallel" ? ["20 °C", "5 °C"] : ["20 °C"], calling.parts);
  const loop = [question, calling, ...(results === undefined ? [] : [results])];
  return kind === "back again" ? [...loop, to.answers[0], says("And tomorrow?")] : loop;
}

const says = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });

function answer({ provider, model }: ChatTarget, calls: number): AssistantMessage {
  const wire = provider.wire.id;
  const seal = btoa(`sealed by ${model.id} for itself, and for nobody else`);
  return readExchange({
    wire,
    body: JSON.stringify(sampleReplies[wire]({ seal, calls })),
    model: model.id,
    provider: provider.id,
  }).message;
}
