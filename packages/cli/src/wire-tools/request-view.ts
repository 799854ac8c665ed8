import {
  compose,
  findModel,
  repair,
  type ChatRequest,
  type ChatTarget,
  type Composed,
  type Environment,
  type Finding,
  type JsonObject,
  type Provider,
  type Receipt,
} from "mull";
import { connect, thinkingFieldsOf, urlOf } from "mull/wire";
import { withoutSecrets } from "../session/unreachable.ts";
import { judge } from "./judge.ts";

/** A request as it would go out, and why it looks like that. */
export interface RequestView {
  readonly model: string;
  readonly provider: string;
  readonly wire: string;
  readonly request: {
    readonly method: "POST";
    readonly url: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: JsonObject;
  };
  readonly receipt: Omit<Receipt, "attempts">;
  readonly lint: { readonly ok: boolean; readonly findings: readonly Finding[] };
}

/** Plans, compiles, encodes and checks a request, as sending it would; nothing is sent. */
export function viewRequest(
  target: ChatTarget,
  request: ChatRequest,
  simulated?: boolean,
  env: Environment = {},
): RequestView {
  const composed = compose(target, request, { modelOf: (id) => findModel(id), simulated });
  const { provider, model } = target;
  const { encoded, plan, prepared, notes } = composed;
  const checked = repair(ruleRequest(composed, target));
  const known = { model, headers: encoded.headers, path: encoded.path };
  const findings = checked.findings.map((finding) => judge(finding, known));
  return {
    model: model.id,
    provider: provider.id,
    wire: plan.wire,
    request: {
      method: "POST",
      url: addressOf(provider, env, encoded.path),
      path: encoded.path,
      headers: { "content-type": "application/json", ...encoded.headers },
      body: checked.body,
    },
    receipt: {
      plan,
      sent: thinkingFieldsOf(checked.body),
      withheld: prepared.withheld,
      changes: prepared.changes,
      repairs: checked.repairs,
      notes,
    },
    lint: { ok: !findings.some(({ severity }) => severity === "error"), findings },
  };
}

/** The address may come from a variable, with a password or a key in it: those are left out. */
function addressOf(provider: Provider, env: Environment, path: string): string {
  const own = env[provider.baseUrlVariable];
  if (!own) return provider.baseUrl + path;
  return urlOf(connect(provider, { env: {}, baseUrl: withoutSecrets(own) }, false), path);
}

const ruleRequest = (
  { plan, encoded }: Composed,
  { model }: ChatTarget,
): Parameters<typeof repair>[0] => ({
  wire: plan.wire,
  model,
  path: encoded.path,
  headers: encoded.headers,
  body: encoded.body,
});
