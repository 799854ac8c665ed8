/** Bun, Deno and workerd, which come as packages: what the examples print and answer there. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { environmentLines, listen } from "@mull/emulator/node";
import { rolldown } from "rolldown";

type Variables = Readonly<Record<string, string>>;

interface Runtime {
  readonly name: string;
  /** The package of Linux on x64: it holds the binary and runs no install script. */
  readonly package: string;
  readonly binary: string;
  /** Runs a program. workerd only answers requests. */
  readonly run?: readonly string[];
  readonly serve: readonly string[];
  /** What it is told to serve `route.mjs`. */
  readonly launcher: (port: number, env: Variables) => string;
}

const runtimes: readonly Runtime[] = [
  {
    name: "Bun",
    package: "@oven/bun-linux-x64",
    binary: "bin/bun",
    run: ["run"],
    serve: ["run", "launch.mjs"],
    launcher: (port, env) => `import route from "./route.mjs";
const fetch = (request) => route.fetch(request, ${JSON.stringify(env)});
Bun.serve({ port: ${port}, hostname: "127.0.0.1", fetch });`,
  },
  {
    name: "Deno",
    package: "@deno/linux-x64-glibc",
    binary: "deno",
    run: ["run", "--allow-all", "--node-modules-dir=manual"],
    serve: ["run", "--allow-all", "--quiet", "launch.mjs"],
    launcher: (port, env) => `import route from "./route.mjs";
const fetch = (request) => route.fetch(request, ${JSON.stringify(env)});
Deno.serve({ port: ${port}, hostname: "127.0.0.1", onListen: () => {} }, fetch);`,
  },
  {
    name: "workerd",
    package: "@cloudflare/workerd-linux-64",
    binary: "bin/workerd",
    serve: ["serve", "launch.mjs"],
    launcher: (port, env) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .route),
    (name = "internet", network = (allow = ["private", "public"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const route :Workerd.Worker = (
  modules = [(name = "route", esModule = embed "route.mjs")],
  bindings = [${Object.entries(env)
    .map(([name, text]) => `(name = "${name}", text = "${text}")`)
    .join(", ")}],
  compatibilityDate = "2026-07-01",
  compatibilityFlags = ["nodejs_compat"],
);`,
  },
];

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
};

/** The text of the first reply: the runtime needs a moment until it listens. */
const post = async (url: string, body: string, child: ChildProcess): Promise<string> => {
  for (let tries = 0; tries < 400 && child.exitCode === null; tries += 1) {
    const headers = { "content-type": "application/json", "x-api-key": "any" };
    const reply = await fetch(url, { method: "POST", headers, body }).catch(() => undefined);
    if (reply !== undefined) return reply.text();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing answers on ${url}`);
};

const demand = (part: string, text: string, what: string): void => {
  if (!text.includes(part)) throw new Error(`${what}: no ${part} in\n${text}`);
  console.log(`ok    ${what}`);
};

/** What each route under examples/edge is asked: both answers say what 23 * 47 is. */
const questions = new Map([
  ["agent", { path: "/", body: "What is 23 * 47?" }],
  [
    "gateway",
    {
      path: "/v1/messages",
      body: JSON.stringify({
        model: "claude-opus-5-5",
        max_tokens: 4096,
        messages: [{ role: "user", content: "What is 23 * 47?" }],
      }),
    },
  ],
]);

const checkRoutes = async (
  { name, serve, launcher }: Runtime,
  binary: string,
  project: string,
  env: Variables,
): Promise<void> => {
  for (const [route, { path, body }] of questions) {
    const bundle = await rolldown({
      input: join(project, `${route}.ts`),
      platform: "browser",
      external: /^node:/,
    });
    await bundle.write({ file: join(project, "route.mjs"), codeSplitting: false });
    const port = await freePort();
    writeFileSync(join(project, "launch.mjs"), launcher(port, env));
    const child = spawn(binary, serve, { cwd: project, stdio: ["ignore", "ignore", "inherit"] });
    try {
      const text = await post(`http://127.0.0.1:${port}${path}`, body, child);
      demand("1,081", text, `examples/edge/${route}.ts on ${name}`);
    } finally {
      child.kill();
    }
  }
};

/** The quick start and the routes of examples/edge in a project that has the tarballs. */
export const checkRuntimes = async (project: string): Promise<void> => {
  const npm = ["install", "--ignore-scripts", "--no-save", "--no-audit", "--no-fund"];
  execFileSync("npm", [...npm, ...runtimes.map((one) => one.package)], {
    cwd: project,
    stdio: ["ignore", "ignore", "inherit"],
  });
  copyFileSync("examples/quick-start.ts", join(project, "quick-start.ts"));
  for (const route of questions.keys())
    copyFileSync(`examples/edge/${route}.ts`, join(project, `${route}.ts`));
  const service = await listen();
  const lines = environmentLines(service.url).map((line) => /^export (\w+)=(.*)$/.exec(line)!);
  const env = {
    ...Object.fromEntries(lines.map(([, name, text]) => [name!, text!])),
    MULL_GATEWAY_SECRET: "sixteen characters or more",
  };
  try {
    for (const runtime of runtimes) {
      const binary = join(project, "node_modules", runtime.package, runtime.binary);
      const version = execFileSync(binary, ["--version"], { encoding: "utf8" }).split("\n")[0]!;
      console.log(`      ${runtime.name}: ${version}`);
      if (runtime.run !== undefined) {
        const text = execFileSync(binary, [...runtime.run, "quick-start.ts"], {
          cwd: project,
          encoding: "utf8",
          stdio: ["ignore", "pipe", "ignore"],
        });
        demand("1,081", text, `examples/quick-start.ts on ${runtime.name}`);
      }
      await checkRoutes(runtime, binary, project, env);
    }
  } finally {
    await service.close();
  }
};
