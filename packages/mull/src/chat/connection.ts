import { invalidArgument, MullError } from "../types/error.ts";
import type { HeaderFields } from "../types/http.ts";
import type { Provider } from "../types/provider.ts";
import { lowerCased, secretsIn } from "../wire/common/headers.ts";
import { shortSha256 } from "./sha256.ts";

/** Environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a request goes and how it signs in: key, base URL, headers, environment. */
export interface ConnectionOptions {
  /** For the provider asked. An agent keeps it for that address: another vendor gets its own key from `env`. */
  readonly apiKey?: string | undefined;
  /** With or without the version at its end; a query goes along with every request. */
  readonly baseUrl?: string | undefined;
  readonly headers?: HeaderFields | undefined;
  /** Where keys and base URLs are looked up; default `process.env` if there is one. */
  readonly env?: Environment | undefined;
}

/** The address and the credentials of a provider. */
export interface Connection {
  readonly baseUrl: string;
  /** The query of the base URL, e.g. `api-version=2026-10-01` on Azure; it goes with every request. */
  readonly query: string;
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: string | undefined;
  /** The fingerprint of the key. */
  readonly account: string | undefined;
}

/**
 * Finds address and key of a provider: explicit options first, then its environment variables, then
 * its default address.
 */
export function connect(
  provider: Provider,
  options: ConnectionOptions,
  needsKey: boolean,
): Connection {
  const env = environmentOf(options);
  const key = nonEmpty(options.apiKey?.trim()) ?? findKey(provider, env);
  const own = lowerCased(options.headers);
  const isSigned = "authorization" in own || provider.auth in own || provider.auth === "none";
  if (key === undefined && needsKey && !isSigned) throw missingKey(provider);
  return {
    headers: { ...authHeader(provider, key), ...own },
    key,
    account: key === undefined ? undefined : accountOf(key),
    ...addressOf(baseUrlOf(provider, options)),
  };
}

/** Address and a fingerprint of the credentials, which may be in the caller's own headers instead of a key. */
export const placeOf = ({ baseUrl, headers, key, account }: Connection): string => {
  const signed = secretsIn(headers).join(" ");
  return `${baseUrl} ${signed === key ? account : accountOf(signed)}`;
};

/** The origin of the address that these options lead to. */
export const endpointOf = (provider: Provider, options: ConnectionOptions): string =>
  addressOf(baseUrlOf(provider, options)).endpoint;

const baseUrlOf = (provider: Provider, options: ConnectionOptions): string =>
  options.baseUrl ?? nonEmpty(environmentOf(options)[provider.baseUrlVariable]) ?? provider.baseUrl;

const environmentOf = ({ env }: ConnectionOptions): Environment => env ?? runtimeEnvironment();

function addressOf(url: string): Pick<Connection, "baseUrl" | "query" | "endpoint"> {
  const [address = "", query = ""] = url.trim().split("#", 1)[0]!.split("?");
  const baseUrl = address.replace(/\/+$/, "");
  if (!/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl))
    throw invalidArgument("baseUrl", baseUrl, "an http or https address");
  return { baseUrl, query, endpoint: new URL(baseUrl).origin };
}

/** The URL of a path. `https://api.test` and `https://api.test/v1` both lead to `/v1/messages`, not to `/v1/v1/messages`. */
export function urlOf({ baseUrl, query }: Connection, path: string): string {
  const version = /^\/v\d\w*(?=\/)/.exec(path)?.[0];
  const isTwice = version !== undefined && baseUrl.endsWith(version);
  const root = isTwice ? baseUrl.slice(0, -version.length) : baseUrl;
  if (query === "") return root + path;
  return `${root}${path}${path.includes("?") ? "&" : "?"}${query}`;
}

/** The API key of a provider: the first of its environment variables that is set, without white space around it. */
export function findKey(provider: Provider, env: Environment): string | undefined {
  if (!Array.isArray(provider?.keyVariables))
    throw invalidArgument("provider", provider, "what findProvider returns");
  for (const name of provider.keyVariables) {
    const key = nonEmpty(env?.[name]?.trim());
    if (key !== undefined) return key;
  }
  return undefined;
}

const nonEmpty = (text: string | undefined): string | undefined => (text === "" ? undefined : text);

function authHeader(provider: Provider, key: string | undefined): Readonly<Record<string, string>> {
  if (key === undefined) return {};
  switch (provider.auth) {
    case "bearer":
    // A self-hosted server takes a key if it was started with one, e.g. `vllm serve --api-key`.
    case "none":
      return { authorization: `Bearer ${key}` };
    case "x-api-key":
    case "x-goog-api-key":
      return { [provider.auth]: key };
    default:
      return provider.auth satisfies never;
  }
}

const missingKey = (provider: Provider): MullError =>
  new MullError(
    `No key for ${provider.name}. Set ${provider.keyVariables.join(" or ")}, or pass apiKey.`,
    {
      category: "auth",
      code: "missing_key",
      provider: provider.id,
    },
  );

/** `process.env` on Node, Bun and Deno; nothing in browsers and workers. */
function runtimeEnvironment(): Environment {
  const { process } = globalThis as { readonly process?: { readonly env?: Environment } };
  return process?.env ?? {};
}

/** A fingerprint of an API key, which tells accounts apart without containing the key. */
export function accountOf(key: string): string {
  if (typeof key !== "string") throw invalidArgument("key", typeof key, "a key");
  return shortSha256(`mull:${key}`);
}
