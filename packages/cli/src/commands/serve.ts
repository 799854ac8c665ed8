import { dirname, join } from "node:path";

import type { Serving } from "@mull/server";
import { isMullError, MullError } from "mull";

import { pathsOf } from "../config/paths.ts";
import { loadSettings } from "../config/settings.ts";
import type { Given, RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { say } from "../frame/fold.ts";
import { isAtTerminal, type Io } from "../frame/io.ts";
import { readPort } from "../frame/read-count.ts";
import { describeMullError } from "../frame/report.ts";
import { untilStopped } from "../frame/until-stopped.ts";

export const run: RunCommand = async (given, io) => {
  try {
    return await serveUntilStopped(given, io);
  } catch (error) {
    if (!isMullError(error)) throw error;
    // The HTTP status means nothing here: no request has been made yet.
    const { message, category, fix } = error;
    const about = { category, ...(fix !== undefined && { fix: inFlags(fix) }) };
    say(io, describeMullError(new MullError(inFlags(message), about)));
    return outside.has(category) ? exitCodes.broken : exitCodes.usage;
  }
};

/** Errors that another host or port would not avoid. */
const outside: ReadonlySet<string> = new Set(["network", "timeout", "server"]);

const serveUntilStopped: RunCommand = async (given, io) => {
  // The server reads it too, but would name its variable.
  readPort("--port", given.text("port"));
  const stopped = untilStopped(io);
  const settings = await loadSettings(given, io);
  const { entranceLine, openingLine, openServerKeys, serve } = await import("@mull/server");
  const { projectCredentials, userCredentials } = pathsOf(io);
  const keys = openServerKeys({
    env: io.env,
    file: userCredentials,
    projectFile: projectCredentials,
    warn: (message) => io.err(`⚠ ${message}\n`),
  });
  const serving = await serve({
    keys,
    isByHand: isAtTerminal(io),
    env: {
      MULL_DATA: join(dirname(pathsOf(io).conversations), "server"),
      ...(settings.model !== undefined && { MULL_MODEL: settings.model }),
      ...(settings.level !== undefined && { MULL_LEVEL: settings.level }),
      ...keys.env(),
      ...flagsOf(given),
    },
    log: (entry) => {
      if (given.has("log")) io.err(`${JSON.stringify(entry)}\n`);
    },
  });
  await io.out(`mull is at ${serving.url}\n`);
  for (const line of [...startLines(serving), openingLine]) say(io, `${line}\n`);
  try {
    // Whichever comes first: a store that cannot be opened, or the wish to end.
    await Promise.race([serving.opened, stopped]);
    const entrance = await Promise.race([serving.entrance, stopped]);
    if (entrance) await io.out(`${entranceLine(entrance)}\n`);
    await stopped;
  } finally {
    await serving.close();
  }
  return exitCodes.done;
};

/** What to know before opening the address. */
export const startLines = ({
  isSimulated,
  hasPage,
}: Pick<Serving, "isSimulated" | "hasPage">): readonly string[] => [
  ...(isSimulated
    ? ["Answers are simulated: no API key found. To store one: mull keys set anthropic"]
    : []),
  ...(hasPage ? [] : ["⚠ The page is not built, only the API answers: npm run serve builds both."]),
];

/** Flags as the variables the server reads. */
const variables: readonly (readonly [flag: string, variable: string])[] = [
  ["port", "PORT"],
  ["host", "HOST"],
  ["data", "MULL_DATA"],
  ["database", "DATABASE_URL"],
];

/** The server's advice in the words of this command. */
export const inFlags = (text: string): string =>
  variables.reduce(
    (said, [flag, variable]) => said.replaceAll(new RegExp(`\\b${variable}\\b`, "g"), `--${flag}`),
    text.replaceAll("MULL_ALLOW_REMOTE=1", "--allow-remote"),
  );

const flagsOf = (given: Given): Io["env"] => ({
  ...Object.fromEntries(
    variables.flatMap(([flag, variable]) => {
      const text = given.text(flag);
      return text === undefined ? [] : [[variable, text]];
    }),
  ),
  ...(given.has("allow-remote") && { MULL_ALLOW_REMOTE: "1" }),
});
