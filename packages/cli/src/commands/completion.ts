import type { RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { didYouMean } from "../frame/nearest.ts";
import { UsageError } from "../frame/usage-error.ts";

export const shells: readonly string[] = ["bash", "zsh", "fish", "powershell"];

export const run: RunCommand = async (given, io) => {
  const [shell] = given.words;
  if (shell === undefined || !shells.includes(shell)) {
    throw new UsageError(
      `Which shell? mull completion ${shells.join(" | ")}`,
      didYouMean(shell ?? "", shells) ?? "mull completion --help says how to switch it on.",
    );
  }
  const { completionScript } = await import("../completion/script.ts");
  await io.out(completionScript(shell));
  return exitCodes.done;
};
