import { allRules, type Rule } from "../packages/mull/src/rules.ts";

const wires = [
  ["anthropic-messages", "Anthropic Messages"],
  ["openai-responses", "OpenAI Responses"],
  ["openai-chat", "OpenAI Chat Completions and the servers like it"],
  ["google-generate", "Google generateContent"],
] as const;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const row = ({ id, severity, summary, repairSummary, preflight }: Rule): string =>
  `| \`${id}\` | ${severity} | ${cell(summary)} | ${cell(repairSummary ?? "–")} | ${preflight ? "yes" : "–"} |`;

/** Everything the services insist on, as a page. */
export const rulesPage = (): string =>
  [
    "# Rules",
    "",
    "What the services insist on, as far as a request can tell. One rule is one id: `lint` reports it,",
    "`repair` mends it, the emulator refuses by it, and `prepare` makes requests that keep it.",
    "`before sending`: cheap enough to run on every request; what it finds is mended or refused there.",
    "",
    "This page is written by `npx tsx scripts/docs-rules.ts`.",
    ...wires.flatMap(([wire, name]) => {
      const rules = allRules.filter((rule) => rule.wire === wire);
      return [
        "",
        `## ${name} (\`${wire}\`, ${rules.length} rules)`,
        "",
        "| rule | severity | what the service insists on | repair | before sending |",
        "| --- | --- | --- | --- | --- |",
        ...rules.map(row),
      ];
    }),
    "",
  ].join("\n");
