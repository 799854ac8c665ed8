import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("stream-server.ts", import.meta.url));

/** A server of streams in a process of its own; with `event`, each event in a write of its own. */
export async function startStreams(
  deltas: number,
  size?: "event",
): Promise<{ readonly child: ChildProcess; readonly origin: string }> {
  const child = spawn(process.execPath, ["--import", "tsx", script, String(deltas), size ?? ""], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { child, origin: `http://127.0.0.1:${String(line).trim()}` };
}
