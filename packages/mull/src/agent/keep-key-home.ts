import { endpointOf } from "../chat/connection.ts";
import type { Provider } from "../types/provider.ts";
import type { AgentOptions } from "./options.ts";

/** One vendor's key must not reach another. Who brings a `fetch` decides where requests go. */
export function keepKeyHome(options: AgentOptions, home: Provider, asked: Provider): AgentOptions {
  const { apiKey, ...rest } = options;
  const isAtHome =
    apiKey === undefined ||
    options.fetch !== undefined ||
    endpointOf(asked, options) === endpointOf(home, options);
  return isAtHome ? options : rest;
}
