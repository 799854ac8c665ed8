import { rulesOf, type Rule } from "../packages/mull/src/rules.ts";
import { code, table } from "./docs-table.ts";

/** The wires, as readers know them. */
export const wireNames = [
  ["anthropic-messages", "Anthropic Messages"],
  ["openai-responses", "OpenAI Responses"],
  ["openai-chat", "OpenAI Chat Completions and the servers like it"],
  ["google-generate", "Google generateContent"],
] as const;

const row = (rule: Rule): readonly string[] => {
  const { id, severity, summary, repairSummary, preflight, refusal } = rule;
  return [
    code(id),
    severity,
    summary,
    repairSummary ?? "–",
    preflight ? "yes" : "–",
    refusal ? "yes" : "–",
  ];
};

/** Everything the services insist on, as a page. */
export const rulesPage = (): string =>
  [
    "# Rules",
    "",
    "This page lists what the services insist on, as far as a request shows it. A rule has one id everywhere: `lint` reports it,",
    "`repair` repairs it, the emulator refuses by it, and the requests that mull writes keep it. To find a rule by the text of an error, use",
    "[what services say](../troubleshooting/refusals.md).",
    "",
    "- An `error` is refused by the service. A `warning` may be refused, or does something that you didn't mean. `advice` is accepted, but is",
    "  probably not what you want; mull follows advice only if you ask: `repair(request, { advice: true })`, `mull lint --fix --advice`.",
    "- `repair`: what `repair` and `mull lint --fix` do; – if only a person can.",
    "- `before sending`: the rule is cheap enough to run on every request. What it finds is repaired or refused before it is sent.",
    "- `when refused`: the service's words are known. The rule repairs the refused request, and it is sent once more. The receipt has the rule's",
    "  id under `repairs`. `heal` sets how often, or never ([histories](../guides/histories.md#a-request-that-was-refused)).",
    ...wireNames.flatMap(([wire, name]) => {
      const rules = rulesOf(wire);
      return [
        "",
        `## ${name} (\`${wire}\`, ${rules.length} rules)`,
        "",
        ...table(
          [
            "rule",
            "severity",
            "what the service insists on",
            "repair",
            "before sending",
            "when refused",
          ],
          rules.map(row),
        ),
      ];
    }),
    "",
  ].join("\n");
