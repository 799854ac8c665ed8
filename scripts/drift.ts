import { loadCredentials } from "mull/node";

import { describeDrift, findDrift, isNews } from "../test/contract/drift.ts";
import { scenarios } from "../test/contract/scenarios/index.ts";

/**
 * Compares live answers with the cassettes' shapes: `npm run drift`, or some of them:
 * `npm run drift -- google/`. Without a key nothing is asked and nothing fails.
 */
const words = process.argv.slice(2);
const wanted = scenarios.filter(
  ({ cassette }) => words.length === 0 || words.some((word) => cassette.includes(word)),
);
let compared = 0;
let news = 0;
for await (const found of findDrift(wanted, { env: loadCredentials() })) {
  compared += 1;
  if (isNews(found)) news += 1;
  console.log(describeDrift(found));
}
if (compared === 0) {
  console.log(
    "Nothing was compared: no key. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GOOGLE_API_KEY.",
  );
} else {
  console.log(`${compared} answers compared, ${news} with something new`);
}
if (news > 0) process.exitCode = 1;
