import { findProvider, type Environment, type MullError, type Provider } from "mull";

/** The start of an address that only this machine can reach. */
const local =
  /^https?:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0|[^/:]+\.local)(?::|\/|$)/i;

/** What starts the servers that people run themselves. */
const startCommands: ReadonlyMap<string, string> = new Map([["ollama", "ollama serve"]]);

/** What to do about a server that cannot be reached: is it running, and which variable holds its address. */
export function reachAdvice(error: MullError, env: Environment): readonly string[] {
  // A code in capitals is the network's: the server never answered.
  const isUnreached = error.category === "network" && /^[A-Z]/.test(error.code ?? "");
  const provider = isUnreached && error.status === undefined ? providerOf(error) : undefined;
  if (provider === undefined) return [];
  const { baseUrlVariable: variable, name } = provider;
  const own = env[variable]?.trim();
  const address = own === undefined || own === "" ? provider.baseUrl : own;
  const source = own === undefined || own === "" ? `${variable} is not set` : `from ${variable}`;
  const start = startCommands.get(provider.id);
  const isLocal = local.test(address);
  const proxy = isLocal ? undefined : unusedProxy(env);
  return [
    ...(proxy === undefined
      ? []
      : [
          `${proxy} is set, but Node 22.21 or newer uses it only with: export NODE_USE_ENV_PROXY=1`,
        ]),
    ...(isLocal
      ? [`Is ${name} running?${start === undefined ? "" : ` Start it with: ${start}`}`]
      : []),
    `The address is ${withoutSecrets(address)} (${source}). ${isLocal ? "" : "Check your network. "}To change it: export ${variable}=…`,
  ];
}

/** A proxy that the person has set and Node passes by. */
const unusedProxy = (env: Environment): string | undefined =>
  env["NODE_USE_ENV_PROXY"] === "1"
    ? undefined
    : ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"].find((name) => env[name]?.trim());

function providerOf({ provider }: MullError): Provider | undefined {
  try {
    return provider === undefined ? undefined : findProvider(provider);
  } catch {
    return undefined;
  }
}

/** An address may carry a user with a password, or a key in its query. */
export const withoutSecrets = (address: string): string =>
  address.replace(/\/\/[^/@]*@/, "//").replace(/[?#].*$/, "");
