import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { describeFindings, scanForSecrets, secretsInEnvironment } from "@mull/vcr";
import { loadCredentials } from "mull/node";

import { fixtureDirectory, forbiddenWords } from "../test/contract/recording.ts";
import { scenarios } from "../test/contract/scenarios/index.ts";

/** Fails when a fixture holds a secret, when one is missing, or when one belongs to nothing. */
const directory = process.argv[2] ?? fixtureDirectory;

const expected = new Set(scenarios.map(({ cassette }) => `${cassette}.jsonl`));
const present = existsSync(directory)
  ? readdirSync(directory, { recursive: true, encoding: "utf8" })
      .map((name) => name.replaceAll("\\", "/"))
      .filter((name) => name.endsWith(".jsonl"))
  : [];

const forbidden = present.flatMap((name) =>
  readFileSync(join(directory, name), "utf8")
    .toLowerCase()
    .split("\n")
    .flatMap((line, index) =>
      forbiddenWords
        .filter((word) => line.includes(word.toLowerCase()))
        .map((word) => `${join(directory, name)}:${index + 1}: holds ${word}`),
    ),
);
const secrets =
  present.length === 0
    ? []
    : await scanForSecrets([directory], { secrets: secretsInEnvironment(loadCredentials()) });
const problems = [
  ...[...expected].filter((name) => !present.includes(name)).map((name) => `${name}: is missing`),
  ...present.filter((name) => !expected.has(name)).map((name) => `${name}: no scenario has it`),
  ...forbidden,
  ...(secrets.length > 0 ? [describeFindings(secrets)] : []),
];

for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error("Make the cassettes again with `npm run record`.");
  process.exitCode = 1;
} else {
  console.log(`${present.length} cassettes in ${relative(process.cwd(), directory)}, no secret`);
}
