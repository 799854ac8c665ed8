import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "@mull/store/testing";

const page = join(import.meta.dirname, "../../../../docs/operate/deploy.md");

/** What can be in front of several servers. */
export type ProxyName = "nginx" | "haproxy";

/** A proxy in front of some servers, set up as docs/operate/deploy.md says. */
export interface LocalProxy {
  readonly url: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

interface Program {
  readonly path: string;
  readonly args: readonly string[];
  /** What its configuration file holds. */
  readonly configure: (markdown: string, port: number, ports: readonly number[]) => string;
}

const programs: Readonly<Record<ProxyName, Program>> = {
  nginx: {
    path: "/usr/sbin/nginx",
    args: ["-p", ".", "-c", "proxy.conf", "-e", "error.log"],
    configure: configureNginx,
  },
  haproxy: {
    path: "/usr/sbin/haproxy",
    args: ["-q", "-db", "-f", "proxy.conf"],
    configure: configureHaproxy,
  },
};

/**
 * Starts the machine's proxy, with its files in a folder of `place`; `undefined` if there is none.
 */
export async function startProxy(
  name: ProxyName,
  ports: readonly number[],
  place: string,
): Promise<LocalProxy | undefined> {
  const { path, args, configure } = programs[name];
  if (!existsSync(path)) return undefined;
  const folder = await mkdtemp(join(place, `${name}-`));
  const port = await freePort();
  const file = join(folder, "proxy.conf");
  await writeFile(file, configure(await readFile(page, "utf8"), port, ports));
  const child = spawn(path, args, { stdio: "ignore", cwd: folder });
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

/** The block of the page that has these words, with our servers in place of its own. */
function readBlock(markdown: string, words: string, ports: readonly number[] = []): string {
  const blocks = [...markdown.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, text]) => text ?? "");
  const block = blocks.find((each) => each.includes(words));
  if (block === undefined) throw new Error(`${page} has no block with ${words}`);
  const lines = block.match(/^ *server .*127\.0\.0\.1:\d+.*\n/gm) ?? [];
  const [first = ""] = lines;
  const port = /:(\d+)/.exec(first)?.[1] ?? "";
  return block.replace(
    lines.join(""),
    ports.map((each) => first.replaceAll(port, String(each))).join(""),
  );
}

/** One process, no root, all files in its folder; the rest is what the page tells you to write. */
function configureNginx(markdown: string, port: number, ports: readonly number[]): string {
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `daemon off;
master_process off;
pid nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
  ${places.map((place) => `${place}_temp_path ${place};`).join("\n  ")}
  ${readBlock(markdown, "upstream mull {", ports)}
  server {
    listen 127.0.0.1:${port} backlog=4096;
    ${readBlock(markdown, "proxy_pass http://mull;")}
  }
}
`;
}

/** As the page says, but without a certificate and a name. */
function configureHaproxy(markdown: string, port: number, ports: readonly number[]): string {
  const block = readBlock(markdown, "backend mull", ports);
  return block
    .replace(/^ *bind .*$/m, `  bind 127.0.0.1:${port}`)
    .replace("chat.example.com", "127.0.0.1");
}

async function untilOpen(child: ChildProcess, port: number): Promise<void> {
  const isOpen = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
  while (!(await isOpen())) {
    if (child.exitCode !== null) throw new Error(`the proxy ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
