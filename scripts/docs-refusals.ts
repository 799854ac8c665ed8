import { rulesOf, type Rule } from "../packages/mull/src/rules.ts";
import { anthropicCases } from "../packages/mull/src/rules/testing/anthropic-cases.ts";
import { googleCases } from "../packages/mull/src/rules/testing/google-cases.ts";
import {
  openaiChatCases,
  openaiResponsesCases,
} from "../packages/mull/src/rules/testing/openai-cases.ts";
import { contentCases } from "../packages/mull/src/wire/anthropic-messages/testing/content-cases.ts";
import { historyCases } from "../packages/mull/src/wire/anthropic-messages/testing/history-cases.ts";
import { settingCases } from "../packages/mull/src/wire/anthropic-messages/testing/setting-cases.ts";
import { conversationCases } from "../packages/mull/src/wire/google-generate/testing/conversation-rule-cases.ts";
import { shapeCases } from "../packages/mull/src/wire/google-generate/testing/shape-rule-cases.ts";
import { wireNames } from "./docs-rules.ts";
import { readTests } from "./docs-sources.ts";
import { table } from "./docs-table.ts";

/** What a service says where a request breaks a rule. */
interface Said {
  readonly rule: string;
  readonly text: string;
}

/** Cases that name their rule and message in a test of its own. */
const namedIn = (folder: string): readonly Said[] =>
  readTests(folder).flatMap(({ text }) =>
    [
      ...text.matchAll(/\brule: "([^"]+)",(?:(?!\brule: )[^])*?\bmessage:\s*"((?:[^"\\]|\\.)*)"/g),
    ].map(([, rule = "", message = ""]) => ({ rule, text: JSON.parse(`"${message}"`) as string })),
  );

/** Cases as tuples: a rule of Chat Completions first, a piece of the text last. */
const tuplesIn = (folder: string): readonly Said[] =>
  readTests(folder).flatMap(({ text }) =>
    [
      ...text.matchAll(/^ {2}\[\s*"([a-z-]+)",(?:(?!\n {2}\[)[^])*?"((?:[^"\\]|\\.)*)",?\s*\],$/gm),
    ].map(([, rule = "", piece = ""]) => ({
      rule: `openai-chat/${rule}`,
      text: `…${JSON.parse(`"${piece}"`) as string}`,
    })),
  );

const said = (): readonly Said[] => [
  ...[...anthropicCases, ...googleCases, ...openaiResponsesCases, ...openaiChatCases].map(
    ({ rule, says }) => ({ rule, text: says }),
  ),
  ...[...settingCases, ...contentCases, ...historyCases].map(({ rule, says }) => ({
    rule,
    text: says,
  })),
  ...[...shapeCases, ...conversationCases].map(({ rule, message }) => ({ rule, text: message })),
  ...namedIn("packages/mull/src/wire/openai-responses/rules"),
  ...tuplesIn("packages/mull/src/wire/openai-chat/rules"),
];

/** A piece shorter than this could be of any error. */
const leastText = 16;
const mostText = 180;
const mostOfOneRule = 3;

/** One line of code: a text that holds backticks stands between two of them. */
function quote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const short = line.length > mostText ? `${line.slice(0, mostText).trimEnd()}…` : line;
  return short.includes("`") ? `\`\` ${short} \`\`` : `\`${short}\``;
}

/** Texts that differ in names and numbers alone are one. */
const shapeOf = (text: string): string => text.replace(/['"`][^'"`]*['"`]|\d+/g, "").slice(0, 40);

function textsOf(rule: Rule, all: readonly Said[]): readonly string[] {
  const seen = new Map<string, string>();
  for (const { rule: id, text } of all) {
    if (id === rule.id && text.length >= leastText && !seen.has(shapeOf(text)))
      seen.set(shapeOf(text), text);
  }
  return [...seen.values()].slice(0, mostOfOneRule);
}

/** `docs/troubleshooting/refusals.md`: every text of a service that a rule knows. */
export const refusalsPage = (): string => {
  const all = said();
  return [
    "# What services say",
    "",
    "Search this page for your error. Names and numbers in it may differ, and `…` stands for words that do. To find the place in your own",
    "request, run `mull lint request.json`; `mull lint --body request.json` prints the repaired request. `Agent`, `chat` and the [repairing",
    "`fetch`](../guides/migrating.md#keeping-your-library) repair requests for you. A `–` means that only you know what to change.",
    "",
    "This page is made from the [rules](../reference/rules.md) and the cases that test them.",
    ...wireNames.flatMap(([wire, name]) => [
      "",
      `## ${name}`,
      "",
      ...table(
        ["the service says", "what it insists on", "what to do", "rule"],
        rulesOf(wire)
          .filter(({ severity }) => severity === "error")
          .flatMap((rule) =>
            textsOf(rule, all).map((text) => [
              quote(text),
              rule.summary,
              rule.repairSummary ?? "–",
              `\`${rule.id}\``,
            ]),
          ),
      ),
    ]),
    "",
  ].join("\n");
};
