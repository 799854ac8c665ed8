import { mkdtemp, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

import { chat, resolveModel } from "mull";

import { keyStatuses, loadKeys } from "../config/keys.ts";
import { pathsOf } from "../config/paths.ts";
import { readSettingsFile } from "../config/settings.ts";
import { listConversations } from "../conversations/folder.ts";
import { readEach } from "../conversations/read-each.ts";
import { readSummary } from "../conversations/read-summary.ts";
import type { RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { print } from "../frame/fold.ts";
import type { Io } from "../frame/io.ts";
import { lookOf } from "../frame/look.ts";
import { version } from "../frame/version.ts";
import { fileTrouble } from "../wire-tools/input.ts";

export interface DoctorFinding {
  readonly name: string;
  readonly state: "ok" | "warning" | "error";
  readonly detail: string;
}

type Examine = (io: Io) => Promise<Omit<DoctorFinding, "name">>;

const ok = (detail: string): Omit<DoctorFinding, "name"> => ({ state: "ok", detail });
const warning = (detail: string): Omit<DoctorFinding, "name"> => ({ state: "warning", detail });

/** What can be wrong on a machine, each looked at on its own. */
const checks: readonly (readonly [name: string, examine: Examine])[] = [
  ["mull", () => Promise.resolve(ok(`${version()} on node ${process.versions.node}`))],
  ["settings", checkSettings],
  ["keys", checkKeys],
  ["key files", checkKeyFiles],
  ["conversations", checkConversations],
  ["emulator", checkEmulator],
];

export const run: RunCommand = async (given, io) => {
  const results: DoctorFinding[] = [];
  for (const [name, examine] of checks) {
    try {
      results.push({ name, ...(await examine(io)) });
    } catch (error) {
      results.push({ name, state: "error", detail: fileTrouble(error) });
    }
  }
  if (given.has("json")) await io.out(`${JSON.stringify(results)}\n`);
  else {
    const { spell } = lookOf(io);
    const signs = { ok: "✓", warning: "⚠", error: "✗" } as const;
    for (const { name, state, detail } of results) {
      await print(io, `${spell(signs[state])} ${name.padEnd(13)}  ${detail}\n`);
    }
  }
  return results.some(({ state }) => state === "error") ? exitCodes.findings : exitCodes.done;
};

async function checkSettings(io: Io): Promise<Omit<DoctorFinding, "name">> {
  const { userConfig, projectConfig } = pathsOf(io);
  const settings = {
    ...(await readSettingsFile(userConfig)),
    ...(await readSettingsFile(projectConfig)),
  };
  const names = Object.keys(settings);
  if (typeof settings.model === "string") resolveModel(settings.model);
  return ok(names.length === 0 ? "none set; the defaults apply" : `set: ${names.join(" ")}`);
}

function checkKeys(io: Io): Promise<Omit<DoctorFinding, "name">> {
  const found = keyStatuses(io).flatMap(({ provider, source }) =>
    source === undefined ? [] : [`${provider} (${source})`],
  );
  return Promise.resolve(
    found.length === 0
      ? warning("none, so the emulator answers. To store one: mull keys set PROVIDER")
      : ok(found.join(", ")),
  );
}

function checkKeyFiles(io: Io): Promise<Omit<DoctorFinding, "name">> {
  const warnings: string[] = [];
  loadKeys(io, (message) => warnings.push(message.trim().replace(/^⚠ /, "")));
  return Promise.resolve(
    warnings.length === 0 ? ok("only you can read them") : warning(warnings.join(" ")),
  );
}

async function checkConversations(io: Io): Promise<Omit<DoctorFinding, "name">> {
  const { conversations } = pathsOf(io);
  const existing = await nearestFolder(conversations);
  try {
    // Only a try tells: some places allow writing and take nothing.
    await rmdir(await mkdtemp(join(existing, ".mull-")));
  } catch (error) {
    return warning(`will not be kept: ${existing}: ${fileTrouble(error)}`);
  }
  const summaries = await readEach(await listConversations(conversations), readSummary);
  const damaged = summaries.filter(({ damage }) => damage > 0).map(({ name }) => name);
  return damaged.length === 0
    ? ok(`${summaries.length} in ${conversations}`)
    : warning(`damaged, readable in part: ${damaged.join(" ")}`);
}

async function nearestFolder(path: string): Promise<string> {
  try {
    await stat(path);
    return path;
  } catch {
    return dirname(path) === path ? path : nearestFolder(dirname(path));
  }
}

async function checkEmulator(): Promise<Omit<DoctorFinding, "name">> {
  const { simulate } = await import("../session/simulated.ts");
  const { text } = await chat(
    "claude-opus-5-5/low",
    { messages: [{ role: "user", parts: [{ type: "text", text: "What is 23 * 47?" }] }] },
    { fetch: simulate(), apiKey: "emulated" },
  );
  return text.includes("1,081") ? ok("answers") : { state: "error", detail: "gave a wrong answer" };
}
