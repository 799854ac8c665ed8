import type { Decision, PendingCall } from "mull";

import type { Io } from "../frame/io.ts";
import { lookOf } from "../frame/look.ts";
import type { Decide } from "../session/with-decisions.ts";
import { Permissions } from "../tools/permissions.ts";
import { toTerminal } from "../session/to-terminal.ts";

/** Decides by `--allow`, or else asks on the terminal. Without a terminal, the call is refused. */
export function askOnTerminal(io: Io, allowed: readonly string[]): Decide {
  const permissions = new Permissions(allowed);
  return ({ call }) => {
    if (permissions.has(call.name)) return Promise.resolve("run");
    const isThere = io.terminal.stdin && io.terminal.stderr;
    return isThere ? askPerson(call, io, permissions) : Promise.resolve(refuseUnasked(call, io));
  };
}

function refuseUnasked({ name }: PendingCall["call"], io: Io): Decision {
  io.err(
    `${lookOf(io).spell("⚠")} ${toTerminal(name)} was not run, because nobody can approve it here. To allow it: --allow ${toTerminal(name)}\n`,
  );
  return { refuse: "nobody can approve it here" };
}

async function askPerson(
  { name, input }: PendingCall["call"],
  io: Io,
  permissions: Permissions,
): Promise<Decision> {
  const { isCancel, select, text } = await import("@clack/prompts");
  const at = { output: process.stderr, signal: io.signal };
  const answer = await select({
    ...at,
    message: `${toTerminal(name)} ${toTerminal(JSON.stringify(input)).slice(0, 1000)}`,
    options: [
      { value: "yes", label: "Run it" },
      { value: "no", label: "Refuse" },
      { value: "always", label: "Always run it" },
    ],
  });
  if (answer === "always") permissions.add(name);
  if (answer === "yes" || answer === "always") return "run";
  if (isCancel(answer)) return { refuse: "" };
  const reason = await text({ ...at, message: "Why? The model is told." });
  return { refuse: isCancel(reason) ? "" : (reason ?? "") };
}
