import { anthropicRemedies } from "../packages/mull/src/heal/anthropic.ts";
import { googleRemedies } from "../packages/mull/src/heal/google.ts";
import type { Remedy } from "../packages/mull/src/heal/heal.ts";
import { openaiChatRemedies, openaiResponsesRemedies } from "../packages/mull/src/heal/openai.ts";
import { rulesOf, type Rule } from "../packages/mull/src/rules.ts";
import { code, table } from "./docs-table.ts";

const wires = [
  ["anthropic-messages", "Anthropic Messages", anthropicRemedies],
  ["openai-responses", "OpenAI Responses", openaiResponsesRemedies],
  ["openai-chat", "OpenAI Chat Completions and the servers like it", openaiChatRemedies],
  ["google-generate", "Google generateContent", googleRemedies],
] as const;

/** Repairs as sentences: some are written as one, some as its predicate. */
const sentence = (text: string): string => {
  const begun = /^[a-z]+\b(?![_.])/.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text;
  return begun.endsWith(".") ? begun : `${begun}.`;
};

const row = ({ id, severity, summary, repairSummary, preflight }: Rule): readonly string[] => [
  code(id),
  severity,
  summary,
  repairSummary === undefined ? "–" : sentence(repairSummary),
  preflight ? "yes" : "–",
];

const remedyRow = ({ rule, detail }: Remedy): readonly string[] => [code(rule), sentence(detail)];

/** Everything the services insist on, as a page. */
export const rulesPage = (): string =>
  [
    "# Rules",
    "",
    "What the services insist on, as far as a request can tell. One rule is one id: `lint` reports it,",
    "`repair` mends it, the emulator refuses by it, and `prepare` makes requests that keep it.",
    "",
    "- An `error` is refused by the service; a `warning` may be, or does something else than was meant;",
    "  `advice` is taken by the service and probably not what you want. Nothing follows advice unless asked: `repair(request, { advice: true })`, `mull lint --fix --advice`.",
    "- `repair`: what `repair` and `mull lint --fix` do about it; – where only a person can.",
    "- `before sending`: cheap enough to run on every request; what it finds is mended or refused there.",
    "",
    "What a service refuses all the same is mended where its words are known, and sent once more: the tables of refusals have the",
    "ids that receipts then carry under `repairs`. `heal` says how often, or never ([histories.md](histories.md#a-request-that-was-refused)).",
    ...wires.flatMap(([wire, name, remedies]) => {
      const rules = rulesOf(wire);
      return [
        "",
        `## ${name} (\`${wire}\`, ${rules.length} rules)`,
        "",
        ...table(
          ["rule", "severity", "what the service insists on", "repair", "before sending"],
          rules.map(row),
        ),
        "",
        ...table(["refusal", "how it is mended"], remedies.map(remedyRow)),
      ];
    }),
    "",
  ].join("\n");
