import { findModel, type JsonObject, type Model, type WireId } from "mull";

export interface ModelClues {
  readonly wire: WireId;
  readonly body: JsonObject;
  readonly model?: string | undefined;
  readonly path?: string | undefined;
  readonly provider?: string | undefined;
}

/**
 * The row a logged request is judged by. The host matters: the vendor's own rules do not hold
 * if a host serves the vendor's weights, and the log may not say who did.
 */
export function modelOfRequest({ wire, body, model, path = "", provider }: ModelClues): Model {
  const deployment = /\/deployments\/([^/]+)\//.exec(path)?.[1];
  const written = typeof body["model"] === "string" ? body["model"] : undefined;
  const id = model ?? written ?? /models\/([^:/?]+)/.exec(path)?.[1] ?? azureName(deployment) ?? "";
  const isHosted = wire === "openai-chat" && id.includes("/");
  const host =
    provider ??
    (deployment === undefined ? undefined : "azure") ??
    (isHosted ? "unknown" : undefined) ??
    (id.startsWith("sonar") ? "perplexity" : undefined);
  if (host === undefined) return findModel(id);
  return { ...findModel(id, { provider: host }), provider: hostNames.get(host) ?? host };
}

/** Deployments on Azure may not have dots in their names. */
const azureName = (deployment: string | undefined): string | undefined =>
  deployment?.replace(/^gpt-35/, "gpt-3.5");

/** The provider words of the wires, if they name a vendor. */
const hostNames: ReadonlyMap<string, string> = new Map([
  ["openai-chat", "openai"],
  ["openai-responses", "openai"],
]);
