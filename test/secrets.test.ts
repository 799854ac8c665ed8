import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeFindings, scanForSecrets, secretsInEnvironment } from "@mull/vcr";
import { expect, test } from "vitest";
import { trackedFiles } from "./tracked-files.ts";

/** `apiKey: "test"` in code is not a secret. Known keys are, and texts as long and shaped like one. */
const isReal = ({ kind, hint }: { readonly kind: string; readonly hint: string }): boolean =>
  kind === "known secret" ||
  (/(key|token)$/i.test(kind) && Number(/\((\d+) characters\)/.exec(hint)?.[1] ?? 0) >= 30);

/** Values of variables that hold secrets on this machine; shorter ones are words of their own. */
const ownSecrets = (): readonly string[] =>
  secretsInEnvironment(process.env).filter(({ length }) => length >= 16);

const find = async (files: readonly string[], secrets = ownSecrets()): Promise<string> => {
  const findings = await scanForSecrets(files, { secrets });
  return describeFindings(findings.filter((finding) => isReal(finding)));
};

const built = (): readonly string[] =>
  readdirSync("packages").flatMap((name) => {
    const folder = `packages/${name}/dist`;
    return existsSync(folder)
      ? readdirSync(folder, { recursive: true, encoding: "utf8" })
          .filter((path) => /\.(js|ts|html)$/.test(path))
          .map((path) => join(folder, path))
      : [];
  });

test("F-X2: no secret in the repository, nor in what is published from it", async () => {
  const files = [...trackedFiles("."), ...built()];
  expect(files.length).toBeGreaterThan(500);
  expect(await find(files)).toBe("");
}, 120_000);

test("F-X2: a planted one is found, by its shape and by its value", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mull-planted-"));
  const file = join(folder, "planted.ts");
  const planted = ["sk", "ant", "api03", "Zx9".repeat(20)].join("-");
  writeFileSync(file, `const options = { apiKey: "${planted}" };\n`);
  expect(await find([file])).toContain("planted.ts:1");
  const plain = join(folder, "plain.ts");
  writeFileSync(plain, 'const options = { password: "correct horse battery" };\n');
  expect(await find([plain])).toBe("");
  expect(await find([plain], ["correct horse battery"])).toContain("plain.ts:1");
  rmSync(folder, { recursive: true });
});
