import {
  findKey,
  findProvider,
  isMullError,
  providers,
  type Environment,
  type Provider,
} from "mull";
import { connect, urlOf } from "mull/wire";

import { didYouMean } from "../frame/nearest.ts";
import { UsageError } from "../frame/usage-error.ts";
import type { BatchLine } from "./batch.ts";
import type { JudgedRequest } from "./lint-request.ts";
import { homes } from "./read-reply.ts";

/** Where a request goes, and with what. */
export interface Destination {
  readonly provider: Provider;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whose key goes along, in words. */
  readonly key: string;
  /** It needs a key, and there is none. */
  readonly isLocked: boolean;
}

export interface DestinationAsk {
  readonly request: JudgedRequest;
  readonly envelope: BatchLine;
  /** Headers named on the command line; they win. */
  readonly headers: Readonly<Record<string, string>>;
  /** A provider or an address, in place of what the request itself says. */
  readonly to: string | undefined;
  readonly env: Environment;
}

/** The address that the request itself names, unless `--to` names another. */
export function destinationOf({
  request,
  envelope,
  headers,
  to,
  env,
}: DestinationAsk): Destination {
  const written = absolute(envelope["url"]) ?? absolute(request.path);
  const address = to === undefined ? written : absolute(to);
  const provider = providerOf(request, address, address === undefined ? to : undefined);
  const { path, headers: wireHeaders } = formOf(request, provider);
  const isFilesPlace = to === undefined || hostOf(address) === hostOf(written);
  const own = { ...fieldsOf(request.headers, isFilesPlace), ...headers };
  const signed = authNames.find((name) => name in own);
  const url = cleared(placeOf(address, path, provider, env), isFilesPlace);
  const isKnown = isKnownPlace(url, provider, env);
  const isTrusted = isKnown || isLocal(url);
  const key = isTrusted ? findKey(provider, env) : undefined;
  const isInUrl = new URL(url).searchParams.has("key");
  const isSigned = signed !== undefined || isInUrl;
  // A server on this machine, the emulator too, wants to see a key and takes any.
  const auth = isSigned || !isTrusted ? {} : authOf(provider, key ?? "none");
  return {
    provider,
    url,
    headers: { "content-type": "application/json", ...wireHeaders, ...auth, ...own },
    key: isSigned ? "a key of its own" : key === undefined ? "no key" : `${provider.name}'s key`,
    isLocked: !isSigned && isKnown && key === undefined && provider.auth !== "none",
  };
}

const authNames = ["authorization", "x-api-key", "x-goog-api-key", "api-key"] as const;

const absolute = (text: unknown): string | undefined =>
  typeof text === "string" && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined;

const hostOf = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : new URL(url).host;

/** OpenAI has one address for two wires. */
const twins: ReadonlyMap<string, string> = new Map([
  ["openai", "openai-chat"],
  ["openai-chat", "openai"],
]);

function providerOf(
  { wire, model }: JudgedRequest,
  address: string | undefined,
  named: string | undefined,
): Provider {
  const home = findProvider(wire === "openai-chat" ? wire : homes[wire]);
  const speaks = (provider: Provider): boolean => provider.wire.id === wire;
  if (address !== undefined) {
    const at = providers.filter(({ baseUrl }) => new URL(baseUrl).host === hostOf(address));
    return at.find(speaks) ?? home;
  }
  const asked = named === undefined ? providerNamed(model.provider) : requireProvider(named);
  if (asked === undefined) return home;
  const twin = twins.get(asked.id);
  const found = [asked, ...(twin === undefined ? [] : [findProvider(twin)])].find(speaks);
  if (found !== undefined || named === undefined) return found ?? home;
  throw new UsageError(
    `${asked.name} takes ${asked.wire.id} here, and this request is written in ${wire}.`,
    "To send it anyway, give --to the whole address.",
  );
}

function providerNamed(id: string): Provider | undefined {
  try {
    return findProvider(id);
  } catch (error) {
    if (isMullError(error)) return undefined;
    throw error;
  }
}

function requireProvider(id: string): Provider {
  const found = providerNamed(id);
  if (found !== undefined) return found;
  const ids = providers.map((provider) => provider.id);
  throw new UsageError(
    `--to ${JSON.stringify(id)} is neither a provider nor an address. Providers: ${ids.join(" ")}`,
    didYouMean(id, ids) ?? "Addresses begin with http:// or https://.",
  );
}

/** The path and the headers that this wire's requests have. A path of the file wins. */
function formOf(
  { wire, model, path }: JudgedRequest,
  { wire: { encode }, quirks }: Provider,
): { readonly path: string; readonly headers: Readonly<Record<string, string>> } {
  if (wire === "google-generate" && model.id === "" && path === "") {
    throw new UsageError(
      "Google's body does not name its model.",
      "Add --model NAME, or --path with the whole path.",
    );
  }
  const encoded = encode(
    {
      model: model.id,
      messages: [{ role: "user", parts: [{ type: "text", text: "?" }] }],
      thinking: { type: "default" },
      show: "auto",
      stream: true,
    },
    { model, ...(quirks !== undefined && { quirks }) },
  );
  return { path: path === "" ? encoded.path : path, headers: encoded.headers };
}

const endings = /\/(?:messages|responses|chat\/completions|[^/]+:(?:streamG|g)enerateContent)$/;

/** An address may be the whole of it, or where the paths begin. */
function placeOf(
  address: string | undefined,
  path: string,
  provider: Provider,
  env: Environment,
): string {
  if (address !== undefined && endings.test(new URL(address).pathname)) return address;
  const options = { env, ...(address !== undefined && { baseUrl: address }) };
  const connection = connect(provider, options, false);
  return absolute(path) ?? urlOf(connection, path.startsWith("/") ? path : `/${path}`);
}

/** Services of this vendor, or where its address variable points. */
const isKnownPlace = (url: string, provider: Provider, env: Environment): boolean =>
  [provider.baseUrl, connect(provider, { env }, false).baseUrl].some(
    (base) => new URL(base).origin === new URL(url).origin,
  );

const isLocal = (url: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

const authOf = ({ auth }: Provider, key: string): Readonly<Record<string, string>> =>
  auth === "bearer" || auth === "none" ? { authorization: `Bearer ${key}` } : { [auth]: key };

/** Written by a client about its own connection, or by a browser about its page. */
const ofConnection =
  /^(?::|sec-|(?:host|connection|content-length|content-encoding|transfer-encoding|accept-encoding|cookie|origin|referer|te|expect|keep-alive)$)/;

/** `$ANTHROPIC_API_KEY`, `<key>`, `***`, `sk-…` and `[hidden]` stand for a key and are none. */
const isPlaceholder = (value: string): boolean =>
  /[^\u0021-\u007e ]|[$*<>[\]{}]|\.\.\.|redacted|hidden/i.test(value);

const isAuth = (name: string): boolean => authNames.some((auth) => auth === name);

function fieldsOf(
  headers: Readonly<Record<string, string>>,
  isFilesPlace: boolean,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) =>
        !ofConnection.test(name) && !(isAuth(name) && (!isFilesPlace || isPlaceholder(value))),
    ),
  );
}

/** The headers without placeholders for a key, and without keys for another service. */
function cleared(url: string, isFilesPlace: boolean): string {
  const cleaned = new URL(url);
  const key = cleaned.searchParams.get("key");
  if (key === null || (isFilesPlace && key !== "" && !isPlaceholder(key))) return url;
  cleaned.searchParams.delete("key");
  return cleaned.href;
}
