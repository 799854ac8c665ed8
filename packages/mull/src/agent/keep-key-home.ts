import { endpointOf } from "../chat/connection.ts";
import { isCredential, lowerCased } from "../wire/common/headers.ts";
import type { Provider } from "../types/provider.ts";
import type { AgentOptions } from "./options.ts";

/** One vendor's key must not reach another. Who brings a `fetch` decides where requests go. */
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
