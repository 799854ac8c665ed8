import { rulesOf, type Rule } from "../packages/mull/src/rules.ts";
import { code, table } from "./docs-table.ts";

/** The wires, as readers know them. */
export const wireNames = [
  ["anthropic-messages", "Anthropic Messages"],
  ["openai-responses", "OpenAI Responses"],
  ["openai-chat", "OpenAI Chat Completions and the servers like it"],
  ["google-generate", "Google generateContent"],
] as const;

/** Repairs as sentences: some are written as one, some as its predicate. */
export const sentence = (text: string): string => {
  const begun = /^[a-z]+\b(?![_.])/.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text;
  return begun.endsWith(".") ? begun : `${begun}.`;
};

const row = (rule: Rule): readonly string[] => {
  const { id, severity, summary, repairSummary, preflight, refusal } = rule;
  return [
    code(id),
    severity,
    summary,
    repairSummary === undefined ? "–" : sentence(repairSummary),
    preflight ? "yes" : "–",
    refusal ? "yes" : "–",
  ];
};

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
    "- `when refused`: the service's words are known. The same rule mends the request, which is sent once more; receipts",
    "  carry its id under `repairs`. `heal` says how often, or never ([histories.md](../guides/histories.md#a-request-that-was-refused)).",
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
