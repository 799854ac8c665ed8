/**
 * Installs the tarballs into empty projects and runs the quick start on other versions of Node and
 * on other runtimes, which come as packages. Needs the registry; the test suite does the same offline on one version.
 */
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPacked, packAll, type Packed } from "./pack-install.ts";
import { checkRuntimes } from "./runtimes.ts";

const versions = process.argv.slice(2).length > 0 ? process.argv.slice(2) : ["20", "22", "24"];
const workplace = mkdtempSync(join(tmpdir(), "mull-nodes-"));

/** The binary of one major version, from the package that holds nothing else. */
const fetchNode = (major: string): string => {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const prefix = join(workplace, `node-${major}`);
  execFileSync(
    "npm",
    ["install", "--prefix", prefix, "--no-save", "--no-audit", "--no-fund", `${name}@${major}`],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  return join(prefix, "node_modules", name, "bin", "node");
};

/** What `npm install` of one package brings along of our own. */
const comesWith = (name: string, packed: readonly Packed[]): readonly string[] => {
  const { folder } = packed.find((one) => one.name === name)!;
  const { dependencies = {} } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  const own = Object.keys(dependencies).filter((other) => packed.some((one) => one.name === other));
  return [name, ...own.flatMap((other) => comesWith(other, packed))];
};

/** The command as a stranger has it: one answer, and the server with its page. */
const checkCommand = async (project: string): Promise<void> => {
  const mull = join(project, "node_modules/.bin/mull");
  const env = { PATH: process.env["PATH"], HOME: project };
  const answer = execFileSync(mull, ["What is 23 * 47?"], { encoding: "utf8", env, stdio: "pipe" });
  if (!answer.includes("1,081")) throw new Error(`the command answered ${answer}`);
  console.log("ok    mull answers");
  const server = spawn(mull, ["serve", "--port", "0"], { env, cwd: project });
  try {
    const url = await new Promise<string>((resolve, reject) => {
      server.stdout.on("data", (text: Buffer) => {
        const found = /http:\/\/\S+/.exec(text.toString())?.[0];
        if (found !== undefined) resolve(found);
      });
      server.on("exit", (code) => reject(new Error(`mull serve ended with ${code}`)));
    });
    const page = await fetch(url);
    const html = await page.text();
    if (!html.includes("<script"))
      throw new Error(`mull serve has no page: ${page.status} ${html}`);
    console.log("ok    mull serve has its page");
  } finally {
    server.kill();
  }
};

try {
  const packed = packAll(workplace);
  const project = installPacked(workplace, packed, ["mull", "@mull/emulator"]);
  copyFileSync("examples/quick-start.ts", join(project, "quick-start.mjs"));
  for (const major of versions) {
    const node = fetchNode(major);
    const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
    const text = execFileSync(node, ["quick-start.mjs"], {
      cwd: project,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: { PATH: process.env["PATH"] },
    });
    for (const part of ["1,081", "162.15"]) {
      if (!text.includes(part)) throw new Error(`Node ${version}: no ${part} in\n${text}`);
    }
    console.log(`ok    the quick start on Node ${version}`);
  }
  if (process.platform === "linux" && process.arch === "x64")
    await checkRuntimes(
      installPacked(workplace, packed, ["mull", "@mull/emulator", "@mull/gateway"]),
    );
  else console.log("left out: Bun, Deno and workerd are only tried on Linux, x64");
  await checkCommand(
    installPacked(workplace, packed, comesWith("@mull/cli", packed), "--prefer-offline"),
  );
} finally {
  rmSync(workplace, { recursive: true, force: true });
}
