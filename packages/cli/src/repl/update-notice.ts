import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathsOf } from "../config/paths.ts";
import { writePrivate } from "../config/write-private.ts";
import type { Io } from "../frame/io.ts";

/** Asks a registry; tests hand in their own. */
export type AskRegistry = (
  url: string,
  init: { readonly signal: AbortSignal },
) => Promise<Response>;

export interface UpdateOptions {
  readonly io: Pick<Io, "env" | "home" | "cwd" | "now">;
  readonly fetch: AskRegistry;
  /** The version that runs. */
  readonly version: string;
}

const packageName = "@mull/cli";
const dayMs = 86_400_000;
const patienceMs = 1500;

/**
 * One line if there is a newer version. Asks at most once a day, only the registry that npm is set
 * to, and ignores errors.
 */
export async function updateNotice(options: UpdateOptions): Promise<string | undefined> {
  const { io, version } = options;
  const registry = registryOf(io.env);
  if (registry === undefined) return undefined;
  try {
    const stamp = join(dirname(pathsOf(io).conversations), "update-asked");
    if (io.now() - (await askedAt(stamp)) < dayMs) return undefined;
    // First, so that a registry that does not answer is left alone for a day too.
    await writePrivate(stamp, `${io.now()}\n`);
    const latest = await askLatest(registry, options.fetch);
    if (latest === undefined || !isNewer(latest, version)) return undefined;
    return `mull ${latest} is available, you have ${version}: npm install -g ${packageName}`;
  } catch {
    return undefined;
  }
}

const registryOf = (env: Io["env"]): string | undefined => {
  const isOff = Boolean(env["NO_UPDATE_NOTIFIER"]) || (env["CI"] ?? "false") !== "false";
  return isOff ? undefined : env["npm_config_registry"] || undefined;
};

async function askedAt(path: string): Promise<number> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere ? Number(await readFile(path, "utf8")) : -Infinity;
}

async function askLatest(registry: string, ask: AskRegistry): Promise<string | undefined> {
  const base = registry.endsWith("/") ? registry : `${registry}/`;
  const url = new URL(`-/package/${packageName.replace("/", "%2f")}/dist-tags`, base);
  const response = await ask(url.href, { signal: AbortSignal.timeout(patienceMs) });
  if (!response.ok) return undefined;
  const tags: unknown = await response.json();
  const latest = typeof tags === "object" && tags !== null && "latest" in tags && tags.latest;
  return typeof latest === "string" && /^\d+\.\d+\.\d+$/.test(latest) ? latest : undefined;
}

const isNewer = (a: string, b: string): boolean => a.localeCompare(b, "en", { numeric: true }) > 0;
