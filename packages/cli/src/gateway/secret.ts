import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { makeFolder } from "../config/make-folder.ts";
import { pathsOf } from "../config/paths.ts";
import type { Io } from "../frame/io.ts";
import { UsageError } from "../frame/usage-error.ts";
import { fileTrouble } from "../wire-tools/input.ts";

/** What seals are authenticated with: `MULL_GATEWAY_SECRET`, or one made once for this user. */
export function loadSecret(io: Pick<Io, "env" | "home" | "cwd" | "err">): string {
  const given = io.env["MULL_GATEWAY_SECRET"]?.trim();
  if (given !== undefined && given !== "") {
    if (given.length >= 16) return given;
    throw new UsageError(
      `MULL_GATEWAY_SECRET has ${given.length} characters. Allowed: at least 16`,
      "Take random ones: openssl rand -hex 32",
    );
  }
  const path = join(dirname(pathsOf(io).userConfig), "gateway-secret");
  try {
    const secret = readSecret(path) ?? makeSecret(path);
    if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0)
      io.err(`⚠ ${path} can be read by others: chmod 600 ${path}\n`);
    return secret;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `Cannot keep the gateway's secret in ${path}: ${fileTrouble(error)}`,
      "Set MULL_GATEWAY_SECRET to 32 or more random characters instead.",
    );
  }
}

function readSecret(path: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  const secret = text.trim();
  if (secret.length >= 32) return secret;
  throw new UsageError(`${path} contains no secret.`, "Remove it; the next start makes a new one.");
}

/** Two gateways may start at once: the file appears whole, and the second one reads it. */
function makeSecret(path: string): string {
  makeFolder(dirname(path));
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "w" });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readSecret(path) ?? "";
}
