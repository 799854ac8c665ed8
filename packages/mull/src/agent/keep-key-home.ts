import { endpointOf } from "../chat/connection.ts";
import { isCredential, lowerCased } from "../wire/common/headers.ts";
import type { Provider } from "../types/provider.ts";
import type { AgentOptions } from "./options.ts";

/**
 * Keeps one vendor's key from being sent to another. A caller with a `fetch` of their own decides
 * where requests go.
 */
export function keepKeyHome(options: AgentOptions, home: Provider, asked: Provider): AgentOptions {
  const { apiKey, headers, ...rest } = options;
  const hasSecrets = apiKey !== undefined || headers !== undefined;
  if (!hasSecrets || options.fetch !== undefined) return options;
  if (endpointOf(asked, options) === endpointOf(home, options)) return options;
  return headers === undefined ? rest : { ...rest, headers: withoutCredentials(headers) };
}

const withoutCredentials = (
  headers: NonNullable<AgentOptions["headers"]>,
): NonNullable<AgentOptions["headers"]> =>
  Object.fromEntries(Object.entries(lowerCased(headers)).filter(([name]) => !isCredential(name)));
