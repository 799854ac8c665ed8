import { MullError, resolveModel } from "mull";
import type { ChatTarget, JsonObject } from "mull";
import { rulesOf } from "mull/rules";
import { whyNextModel } from "mull/wire";

import { holdsCarried } from "./carry-in.ts";
import { chooseTarget, type ModelRoutes } from "./choose-target.ts";
import type { ClientCall, GatewayParts } from "./client-call.ts";
import { readDial } from "./client-dial.ts";
import type { ClientAnswer } from "./client-exchange.ts";
import { compact, isCompaction } from "./compact.ts";
import { connectTo, isOwnVendor } from "./connections.ts";
import { count } from "./count.ts";
import { refuseMistyped, refuseState } from "./refuse-state.ts";
import { relay } from "./relay.ts";
import { tellRelayed } from "./tell-relayed.ts";
import { readRequest, translate } from "./translate.ts";

/** The model that answers, and those that replace it when it fails. */
interface AnsweringModels extends ModelRoutes {
  readonly fallback?: readonly string[] | undefined;
}

type WriteFailure = (thrown: unknown, details?: JsonObject) => ClientAnswer;

/** Asks the chosen model, then its fallbacks. */
export async function answerCall(
  call: ClientCall,
  routes: AnsweringModels,
  parts: GatewayParts,
  fail: WriteFailure,
): Promise<ClientAnswer> {
  const first = chooseTarget(call.asked, call.wire, routes, (target) => refusesTools(call, target));
  const others = (routes.fallback ?? []).map((ref) => resolveModel(ref));
  const targets = [first, ...others];
  for (const [at, target] of targets.entries()) {
    const mayFallBack = at < targets.length - 1;
    const { fields } = call.receipt;
    Object.assign(fields, { provider: target.provider.id, model: target.model.id });
    try {
      return await answerWith(call, target, parts, mayFallBack, fail);
    } catch (error) {
      const why = mayFallBack ? whyNextModel({ error }) : undefined;
      if (why === undefined) throw error;
      fields.fallbacks = [
        ...fields.fallbacks,
        { model: `${target.provider.id}:${target.model.id}`, error: why },
      ];
    }
  }
  throw new MullError("no model is left to ask", { category: "server" });
}

/** Chat Completions of OpenAI's newer models refuses tools beside thinking; Responses takes both. */
function refusesTools({ wire, body, url, headers }: ClientCall, { model }: ChatTarget): boolean {
  const rule = rulesOf(wire).find(({ id }) => id === "openai-chat/effort-with-tools");
  const asked = { wire, model, path: url.pathname, headers: Object.fromEntries(headers), body };
  return rule !== undefined && rule.check(asked).length > 0;
}

async function answerWith(
  call: ClientCall,
  target: ChatTarget,
  parts: GatewayParts,
  mayFallBack: boolean,
  fail: WriteFailure,
): Promise<ClientAnswer> {
  const { wire, route, receipt } = call;
  const client = { headers: call.headers, key: call.key, isTrusted: parts.takesClientKeys };
  const isForeign = target.provider.wire.id !== wire || !isSameModel(call, target);
  const isOwn = isOwnVendor(target.provider, wire);
  if (isForeign || !isOwn) {
    const refusal = refuseState(wire, call.body, isOwn);
    if (refusal !== undefined) return fail(refusal.error, refusal.details);
  }
  const upstream = connectTo(target, wire, client, parts);
  if (canPass(call, target)) {
    receipt.fields.lane = "pass";
    const { observe } = parts;
    const { endpoint } = upstream.connection;
    if (observe !== undefined && route.action === "generate")
      receipt.afterwards((told) => tellRelayed(observe, call, target, endpoint, told));
    return relay(call, target, upstream, parts, mayFallBack);
  }
  receipt.fields.lane = "translate";
  const mistyped = refuseMistyped(call, target);
  if (mistyped !== undefined) return fail(mistyped);
  if (route.action === "count") return count(call, target, upstream, parts);
  if (target.provider.wire.id !== wire && wire === "openai-responses" && isCompaction(call))
    return compact(call, target, upstream, parts);
  return translate(call, target, upstream, parts, mayFallBack);
}

const isSameModel = ({ asked }: ClientCall, { model }: ChatTarget): boolean => asked === model.id;

/** Same vendor, model and level, and no seal of ours inside: the bytes go through. */
function canPass(call: ClientCall, target: ChatTarget): boolean {
  if (target.provider.wire.id !== call.wire || !isSameModel(call, target)) return false;
  if (holdsCarried(call.text)) return false;
  if (target.level === undefined || call.route.action !== "generate") return true;
  return readDial(readRequest(call), call.wire, target).level === target.level;
}
