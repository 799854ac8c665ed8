import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { fakeTerminal } from "./fake-terminal.ts";

/** The command in a process of its own, behind a real pseudo-terminal. */
export interface PtyChat {
  readonly pid: () => Promise<number>;
  readonly type: (keys: string) => void;
  /** Everything written so far, byte for byte. */
  readonly raw: () => string;
  /** Waits until the terminal shows this. */
  readonly sees: (text: string | RegExp) => Promise<string>;
  readonly ended: Promise<number | null>;
}

const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
const root = fileURLToPath(new URL("../../../../..", import.meta.url));

export function ptyChat(words: readonly string[], env: Readonly<Record<string, string>>): PtyChat {
  const command = ["node", "--import", "tsx", "--conditions=@mull/source", main, ...words].join(
    " ",
  );
  // `script` makes the pseudo-terminal, without a size if it has none itself; `exec` keeps the
  // number of the process that is printed.
  const line = `stty cols 80 rows 24; echo "PID $$"; exec ${command}`;
  const child = spawn("script", ["-qfec", line, "/dev/null"], {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color", LANG: "C.UTF-8", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const shown = fakeTerminal();
  child.stdout.setEncoding("utf8").on("data", shown.terminal.write);
  const ended = new Promise<number | null>((done) => child.on("close", done));
  const sees = async (text: string | RegExp): Promise<string> => {
    // Two processes start and share the machine with everything else that is tested.
    const limit = performance.now() + 30_000;
    for (;;) {
      const plain = (await shown.lines()).join("\n");
      if (typeof text === "string" ? plain.includes(text) : text.test(plain)) return plain;
      if (performance.now() > limit) throw new Error(`Waited to see ${text}. It shows:\n${plain}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  };
  return {
    pid: async () => Number(/PID (\d+)/.exec(await sees(/PID \d+/))?.[1]),
    type: (keys) => child.stdin.write(keys),
    raw: shown.written,
    sees,
    ended,
  };
}
