import type { Finding, LintRequest, Model } from "mull";

/** What is known about the request besides its body. */
export interface RequestContext {
  readonly model: Model;
  readonly headers: NonNullable<LintRequest["headers"]>;
  readonly path: string;
}

type Doubt = (known: RequestContext) => boolean;

/** Whether a model is served is a matter of the day and of the host, not of the request. */
const isOfTheDay: Doubt = () => true;

/** Logs keep few headers; only one with the key in it was kept whole. */
const areHeadersPartial: Doubt = ({ headers }) =>
  !["x-api-key", "authorization"].some((name) => name in headers);

const isUnknownModel: Doubt = ({ model }) =>
  model.assumed === true && model.thinking.kind === "none";

/** Hosts name the model in the path; a body without one may have had such a path. */
const isPathUnknown: Doubt = ({ path }) => path === "";

/** Weights under another name are served by another host, without the vendor's limits. */
const isUnderOtherName: Doubt = ({ model }) => model.assumed === true;

/** Rules that a logged request alone cannot prove broken. Their findings are warnings then. */
const doubts: ReadonlyMap<string, Doubt> = new Map([
  ["anthropic/model-served", isOfTheDay],
  ["google/model-not-found", isOfTheDay],
  ["openai-chat/served-model", isOfTheDay],
  ["openai/model-served", isOfTheDay],
  ["openai-chat/model", isPathUnknown],
  ["openai-chat/forced-tool", isUnderOtherName],
  ["anthropic/model-required", isPathUnknown],
  ["anthropic/api-version", areHeadersPartial],
  ["anthropic/thinking-unsupported", isUnknownModel],
]);

export const judge = (finding: Finding, known: RequestContext): Finding =>
  finding.severity === "error" && doubts.get(finding.rule)?.(known)
    ? { ...finding, severity: "warning" }
    : finding;
