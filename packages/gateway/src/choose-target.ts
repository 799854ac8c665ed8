import { isMullError, MullError, parseModelRef, providers, resolveModel } from "mull";
import type { ChatTarget, WireId } from "mull";

/** Which models answer: one for everything, or by the name that was asked for. */
export interface ModelRoutes {
  /** The model that answers if no line of `map` matches, e.g. `gpt-6-sol/high`. */
  readonly model?: string | undefined;
  /**
   * Names that clients ask for, with `*` for any text, and the models that answer: `claude-
   * haiku-*` → `gemini-3.8-flash/low`.
   */
  readonly map?: Readonly<Record<string, string>> | undefined;
}

const matches = (pattern: string, name: string): boolean =>
  new RegExp(
    `^${pattern
      .split("*")
      .map((piece) => piece.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
      .join(".*")}$`,
    "s",
  ).test(name);

/** The ref that answers for a name: the map first, then the one model, then the name itself. */
function refFor(asked: string, { model, map = {} }: ModelRoutes): string {
  const line = Object.entries(map).find(([pattern]) => matches(pattern, asked));
  return line?.[1] ?? model ?? asked;
}

/** Finds the model that answers a request for `asked` on this wire. */
export function chooseTarget(
  asked: string,
  wire: WireId,
  routes: ModelRoutes,
  isRefused: (target: ChatTarget) => boolean = () => false,
): ChatTarget {
  const ref = refFor(asked, routes);
  try {
    const found = resolveModel(ref);
    const own = ref === asked ? onClientsWire(found, ref, wire) : undefined;
    return own === undefined || isRefused(own) ? found : own;
  } catch (error) {
    if (!isMullError(error)) throw error;
    const why = error.field === "level" ? `: ${error.message}` : "";
    const name = JSON.stringify(asked.slice(0, 200));
    throw new MullError(`model: ${name} is not a model this gateway knows${why.slice(0, 300)}`, {
      category: "not_found",
      code: "model_not_found",
      field: "model",
      fix: "name a known model as model/level, e.g. gpt-6-sol/high, or start the gateway with --model or --map",
    });
  }
}

/**
 * OpenAI's models answer on two wires. A client of Chat Completions that asks for one of them by its
 * plain name means that wire, and its request can pass as it is. In every other case they answer
 * over Responses, if they think beside tools.
 */
function onClientsWire(found: ChatTarget, ref: string, wire: WireId): ChatTarget | undefined {
  const { provider, model, level } = found;
  if (provider.wire.id === wire || level !== undefined) return undefined;
  if (parseModelRef(ref).provider !== undefined) return undefined;
  const sibling = providers.find(
    ({ wire: own, baseUrl }) => own.id === wire && baseUrl === provider.baseUrl,
  );
  return sibling && resolveModel({ provider: sibling.id, name: model.id });
}
