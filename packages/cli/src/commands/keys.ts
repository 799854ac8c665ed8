import { dirname } from "node:path";

import { findProvider, isMullError, providers, type Provider } from "mull";
import { removeCredential, storeCredential } from "mull/node";

import { keyStatuses, loadKeys } from "../config/keys.ts";
import { makeFolder } from "../config/make-folder.ts";
import { pathsOf } from "../config/paths.ts";
import { columns } from "../frame/columns.ts";
import type { RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { say } from "../frame/fold.ts";
import type { Io } from "../frame/io.ts";
import { lookOf } from "../frame/look.ts";
import { didYouMean } from "../frame/nearest.ts";
import { UsageError } from "../frame/usage-error.ts";
import { readAll } from "../wire-tools/input.ts";

export const run: RunCommand = async (given, io) => {
  const [verb, id] = given.words;
  if (verb === "list" && id !== undefined)
    throw new UsageError("mull keys list takes no name: it lists them all.");
  if (verb === undefined || verb === "list") return listKeys(given.has("json"), io);
  if (verb !== "set" && verb !== "remove") {
    throw new UsageError(
      `Unknown word ${JSON.stringify(verb)}. mull keys [list | set PROVIDER | remove PROVIDER]`,
      didYouMean(verb, ["list", "set", "remove"]),
    );
  }
  const provider = pickProvider(id);
  await (verb === "set" ? keepKey(provider, io) : dropKey(provider, io));
  return exitCodes.done;
};

const sourceOf = (provider: Provider, io: Io): string | undefined =>
  keyStatuses(io).find((status) => status.provider === provider.id)?.source;

async function keepKey(provider: Provider, io: Io): Promise<void> {
  const path = pathsOf(io).userCredentials;
  const key = await readKey(provider, io);
  makeFolder(dirname(path));
  storeCredential(path, provider, key);
  await io.out(`✓ ${provider.name} key stored in ${path}; only you can read it\n`);
  const winner = sourceOf(provider, io);
  if (winner !== undefined && winner !== path)
    say(io, `⚠ ${winner} also has a key, which is used instead\n`);
}

async function dropKey(provider: Provider, io: Io): Promise<void> {
  const path = pathsOf(io).userCredentials;
  const isThere = removeCredential(path, provider);
  const left = sourceOf(provider, io);
  if (!isThere) {
    throw new UsageError(
      `${path} has no ${provider.name} key.`,
      left === undefined ? undefined : `The one in use comes from ${left}.`,
    );
  }
  await io.out(`✓ ${provider.name} key removed from ${path}\n`);
  if (left !== undefined) say(io, `⚠ ${left} still has a key\n`);
}

async function listKeys(asJson: boolean, io: Io): Promise<number> {
  // Reading them also warns about files others can read.
  loadKeys(io);
  const statuses = keyStatuses(io);
  if (asJson) await io.out(`${JSON.stringify(statuses)}\n`);
  else {
    const { spell } = lookOf(io);
    const rows = statuses.map(({ provider, source, variables }) => [
      provider,
      spell(source === undefined ? "–" : "✓"),
      source ?? variables[0] ?? "",
    ]);
    await io.out(columns(["provider", "key", "where, or variable to export"], rows, io));
    await io.out("To store a key: mull keys set PROVIDER\n");
  }
  return exitCodes.done;
}

function pickProvider(id: string | undefined): Provider {
  const ids = providers.filter(({ auth }) => auth !== "none").map((provider) => provider.id);
  if (id === undefined) throw new UsageError(`Whose key? Providers: ${ids.join(" ")}`);
  try {
    return findProvider(id);
  } catch (error) {
    if (!isMullError(error)) throw error;
    throw new UsageError(
      `Unknown provider ${JSON.stringify(id)}. Providers: ${ids.join(" ")}`,
      didYouMean(id, ids),
    );
  }
}

/** Typed hidden or piped in; never an argument, where other users of the machine could read it. */
async function readKey(provider: Provider, io: Io): Promise<string> {
  const text = io.terminal.stdin ? await promptHidden(provider) : await readAll(io.stdin);
  const key = text.trim();
  if (key === "") throw new UsageError("No key was entered. Nothing was changed.");
  if (/\s/.test(key)) {
    throw new UsageError("That is not a key: it must be one word. Nothing was changed.");
  }
  return key;
}

async function promptHidden(provider: Provider): Promise<string> {
  const { isCancel, password } = await import("@clack/prompts");
  const typed = await password({ message: `${provider.name} API key (not shown)` });
  if (isCancel(typed)) throw new UsageError("Nothing was changed.");
  return typed;
}
