#!/usr/bin/env node
import process from "node:process";
import { loadCredentials } from "mull/node";
import { isMullError } from "mull";
import { serve } from "./serve.ts";

const write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

try {
  const env = loadCredentials({ warn: (message) => process.stderr.write(`${message}\n`) });
  const isQuiet = env["MULL_LOG"] === "off";
  const serving = await serve({
    env,
    log: (entry) => {
      if (!isQuiet) process.stderr.write(`${JSON.stringify(entry)}\n`);
    },
  });
  write(`mull is at ${serving.url}`);
  if (serving.isSimulated) {
    write(
      "Answers are simulated. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GOOGLE_API_KEY for real ones.",
    );
  }
  let isClosing = false;
  const close = (code: number): void => {
    if (isClosing) return;
    isClosing = true;
    void serving.close().finally(() => process.exit(code));
  };
  process.on("SIGTERM", () => close(0));
  process.on("SIGINT", () => close(0));
  // What nobody foresaw: say so, finish what runs, and let a supervisor start a clean process.
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, (error: unknown) => {
      const name = error instanceof Error ? error.name : typeof error;
      process.stderr.write(`${JSON.stringify({ event, error: name })}\n`);
      close(1);
    });
  }
  await serving.opened.catch((error: unknown) => {
    process.stderr.write(`${isMullError(error) ? error.message : String(error)}\n`);
    close(1);
  });
} catch (error) {
  process.stderr.write(`${isMullError(error) ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
