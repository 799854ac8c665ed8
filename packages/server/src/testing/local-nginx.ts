import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "@mull/store/testing";

const program = "/usr/sbin/nginx";
const page = join(import.meta.dirname, "../../../../docs/operate/deploy.md");

/** An nginx in front of some servers, set up as docs/operate/deploy.md says. */
export interface LocalNginx {
  readonly url: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the machine's nginx, with its files in a folder of `place`; `undefined` if there is none.
 */
export async function startNginx(
  ports: readonly number[],
  place: string,
): Promise<LocalNginx | undefined> {
  if (!existsSync(program)) return undefined;
  const folder = await mkdtemp(join(place, "nginx-"));
  const port = await freePort();
  await writeFile(join(folder, "nginx.conf"), configure(await readFile(page, "utf8"), port, ports));
  const child = spawn(program, ["-p", folder, "-c", "nginx.conf", "-e", "error.log"], {
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  await untilOpen(child, port);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One process, no root, all files in its folder; the rest is what the page tells you to write. */
function configure(markdown: string, port: number, ports: readonly number[]): string {
  const blocks = [...markdown.matchAll(/^```nginx\n(.*?)^```$/gms)].map(([, text]) => text ?? "");
  const upstream = blocks.find((block) => block.startsWith("upstream"));
  const location = blocks.find((block) => block.includes("proxy_pass http://mull;"));
  const line = /^ *server 127\.0\.0\.1:\d+(.*)\n/m.exec(upstream ?? "");
  if (upstream === undefined || location === undefined || line === null) {
    throw new Error(`${page} has no nginx blocks with an upstream and a location`);
  }
  const servers = ports.map((each) => `  server 127.0.0.1:${each}${line[1]}\n`).join("");
  const isServer = /^ *server 127\.0\.0\.1:\d+.*\n/gm;
  let isFirst = true;
  const filled = upstream.replace(isServer, () => {
    const text = isFirst ? servers : "";
    isFirst = false;
    return text;
  });
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `daemon off;
master_process off;
pid nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
  ${places.map((place) => `${place}_temp_path ${place};`).join("\n  ")}
  ${filled}
  server {
    listen 127.0.0.1:${port} backlog=4096;
    ${location}
  }
}
`;
}

async function untilOpen(child: ChildProcess, port: number): Promise<void> {
  const isOpen = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
  while (!(await isOpen())) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
