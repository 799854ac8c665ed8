import { allRules, type Rule } from "../packages/mull/src/rules.ts";

const wires = [
  ["anthropic-messages", "Anthropic Messages"],
  ["openai-responses", "OpenAI Responses"],
  ["openai-chat", "OpenAI Chat Completions and the servers like it"],
  ["google-generate", "Google generateContent"],
] as const;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** Repairs as sentences: some are written as one, some as its predicate. */
const sentence = (text: string): string => {
  const begun = /^[a-z]+\b(?![_.])/.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text;
  return begun.endsWith(".") ? begun : `${begun}.`;
};

const row = ({ id, severity, summary, repairSummary, preflight }: Rule): string =>
  `| \`${id}\` | ${severity} | ${cell(summary)} | ${repairSummary === undefined ? "–" : cell(sentence(repairSummary))} | ${preflight ? "yes" : "–"} |`;

/** Everything the services insist on, as a page. */
export const rulesPage = (): string =>
  [
    "# Rules",
    "",
    "What the services insist on, as far as a request can tell. One rule is one id: `lint` reports it,",
    "`repair` mends it, the emulator refuses by it, and `prepare` makes requests that keep it.",
    "",
    "- An `error` is refused by the service; a `warning` may be, or does something else than was meant.",
    "- `repair`: what `repair` and `mull lint --fix` do about it; – where only a person can.",
    "- `before sending`: cheap enough to run on every request; what it finds is mended or refused there.",
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
