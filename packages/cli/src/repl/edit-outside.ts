import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Terminal } from "./terminal.ts";

/** Lets the person write a text in an editor of their own; the file is theirs alone and goes afterwards. */
export async function editOutside(
  text: string,
  command: string,
  terminal: Pick<Terminal, "run">,
): Promise<string> {
  const [program = "vi", ...words] = command.split(/\s+/);
  const folder = await mkdtemp(join(tmpdir(), "mull-"));
  const file = join(folder, "message.md");
  try {
    await writeFile(file, text, { mode: 0o600 });
    await terminal.run(program, [...words, file]);
    return (await readFile(file, "utf8")).replace(/\n$/, "");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
