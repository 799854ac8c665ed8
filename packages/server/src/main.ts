#!/usr/bin/env node
import { homedir } from "node:os";
import process from "node:process";
import { isMullError } from "mull";
import { secretsIn } from "./config.ts";
import { createScrubber } from "mull/wire";
import { openServerKeys, userCredentials } from "./keys/server-keys.ts";
import { entranceLine, openingLine, serve } from "./serve.ts";

const write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const complain = (error: unknown): void => {
  const lines = isMullError(error) ? [error.message, error.fix && `fix: ${error.fix}`] : [error];
  process.stderr.write(`${lines.filter(Boolean).join("\n")}\n`);
};

/** Settings come only from variables, so that a process list shows none of them. */
const usage = `Usage: npm run serve

Takes no arguments. Settings are environment variables, among them PORT (3001), HOST (127.0.0.1),
MULL_DATA or DATABASE_URL (where conversations are kept), MULL_MODEL, MULL_LEVEL, MULL_CLOSED, and
the providers' keys: ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_API_KEY. docs/guides/server.md has them all.`;

// The reader of the log has gone: stay alive, and don't write about it for ever.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

const [argument] = process.argv.slice(2);
if (argument !== undefined) {
  write(usage);
  process.exitCode = argument === "--help" || argument === "-h" ? 0 : 2;
} else await run();

async function run(): Promise<void> {
  try {
    const keys = openServerKeys({
      env: process.env,
      file: userCredentials(process.env, homedir()),
      projectFile: "credentials.json",
      warn: (message) => process.stderr.write(`${message}\n`),
    });
    const env = keys.env();
    const isQuiet = env["MULL_LOG"] === "off";
    const serving = await serve({
      env,
      keys,
      isByHand: process.stdin.isTTY && process.stdout.isTTY,
      log: (entry) => {
        // The last line says it in words.
        if (!isQuiet && entry.event !== "store-broken")
          process.stderr.write(`${JSON.stringify(entry)}\n`);
      },
    });
    write(`mull is at ${serving.url}`);
    if (serving.isSimulated) {
      write(
        "Answers are simulated. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GOOGLE_API_KEY for real ones.",
      );
    }
    write(openingLine);
    let isClosing = false;
    const close = (code: number): void => {
      if (isClosing) return;
      isClosing = true;
      void serving.close().finally(() => process.exit(code));
    };
    process.on("SIGTERM", () => close(0));
    process.on("SIGINT", () => close(0));
    // An unforeseen error: report it, finish what runs, and let a supervisor start a clean process.
    for (const event of ["uncaughtException", "unhandledRejection"]) {
      process.on(event, (error: unknown) => {
        const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
        const scrub = createScrubber(secretsIn(keys.env()));
        process.stderr.write(`${JSON.stringify({ event, error: scrub(told) })}\n`);
        close(1);
      });
    }
    const entrance = await serving.entrance;
    if (entrance !== undefined) write(entranceLine(entrance));
    await serving.opened.catch((error: unknown) => {
      complain(error);
      close(1);
    });
  } catch (error) {
    complain(error);
    process.exitCode = 1;
  }
}
