/**
 * Installs the tarballs into empty projects and runs the README example on other versions of Node,
 * which come as packages. Needs the registry; the test suite does the same offline on one version.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPacked, packAll } from "./pack-install.ts";

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
    console.log(`ok    README example on Node ${version}`);
  }
} finally {
  rmSync(workplace, { recursive: true, force: true });
}
