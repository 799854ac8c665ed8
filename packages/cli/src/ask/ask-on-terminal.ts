import type { Decision, PendingCall } from "mull";

import type { Io } from "../frame/io.ts";
import { lookOf } from "../frame/look.ts";
import { stopped, type Decide } from "../session/with-decisions.ts";
import { decisionWords, Permissions, readDecision } from "../tools/permissions.ts";
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
  const { isCancel, text } = await import("@clack/prompts");
  const { spell } = lookOf(io);
  const shown = toTerminal(JSON.stringify(input)).slice(0, 1000);
  // Typed, not chosen: an Enter that was meant for the shell must not run it.
  const answer = await text({
    output: process.stderr,
    signal: io.signal,
    message: `${toTerminal(name)} waits for you: ${shown}\n   ${spell(decisionWords)}`,
    validate: (typed) => (readDecision(typed ?? "") === undefined ? "y, n or a" : undefined),
  });
  if (isCancel(answer)) throw stopped();
  const decision = readDecision(answer) ?? { refuse: "" };
  if (decision !== "always") return decision;
  permissions.add(name);
  return "run";
}
