import type { GatewayReceipt } from "./receipt.ts";

/** Counts requests for Prometheus. */
export interface GatewayMetrics {
  readonly count: (receipt: GatewayReceipt) => void;
  readonly begin: () => void;
  readonly text: () => string;
}

interface Family {
  readonly help: string;
  readonly type: "counter" | "gauge";
  readonly values: Map<string, number>;
}

const families = [
  ["mull_gateway_requests_total", "counter", "Requests by client wire, model, lane and status."],
  ["mull_gateway_in_flight", "gauge", "Requests that have not ended."],
  ["mull_gateway_seconds_total", "counter", "Seconds from request to the end of the answer."],
  ["mull_gateway_first_byte_seconds_total", "counter", "Seconds from request to the first byte."],
  ["mull_gateway_tokens_total", "counter", "Tokens by kind."],
  ["mull_gateway_cost_usd_total", "counter", "Cost by the prices of the catalogue."],
  ["mull_gateway_repairs_total", "counter", "Repairs by rule."],
  ["mull_gateway_fallbacks_total", "counter", "Requests that another model answered."],
  ["mull_gateway_seals_total", "counter", "Seals carried, opened, broken and lost."],
] as const;

type FamilyName = (typeof families)[number][0];

/** Nearly every label is an id that needs no escaping. */
const label = (text: string): string =>
  /^[\w.:/-]{0,100}$/.test(text)
    ? text
    : text
        .slice(0, 100)
        .replaceAll(/[\\"]/g, String.raw`\$&`)
        .replaceAll("\n", String.raw`\n`);

/** Opens counters that begin at zero. */
export function createMetrics(): GatewayMetrics {
  const all = new Map<FamilyName, Family>(
    families.map(([name, type, help]) => [name, { type, help, values: new Map() }]),
  );
  /** `labels` as Prometheus writes them, without the braces. */
  const add = (name: FamilyName, labels: string, value: number): void => {
    const { values } = all.get(name)!;
    values.set(labels, (values.get(labels) ?? 0) + value);
  };
  return {
    begin: () => add("mull_gateway_in_flight", "", 1),
    count: (receipt) => {
      const { wire, lane, status, usage, cost, seals } = receipt;
      // What a client makes up must not become a new line for ever.
      const id = receipt.model === undefined ? "none" : `${receipt.provider}:${receipt.model}`;
      const model = `model="${label(id)}"`;
      add("mull_gateway_in_flight", "", -1);
      add(
        "mull_gateway_requests_total",
        `wire="${wire}",${model},lane="${lane}",status="${status}"`,
        1,
      );
      add("mull_gateway_seconds_total", model, receipt.totalMs / 1000);
      if (receipt.firstMs !== undefined)
        add("mull_gateway_first_byte_seconds_total", model, receipt.firstMs / 1000);
      for (const kind of ["input", "cacheRead", "cacheWrite", "output", "thinking"] as const) {
        const tokens = usage?.[kind];
        if (tokens !== undefined)
          add("mull_gateway_tokens_total", `${model},kind="${kind}"`, tokens);
      }
      if (cost !== undefined) add("mull_gateway_cost_usd_total", model, cost.total);
      for (const { rule } of receipt.repairs)
        add("mull_gateway_repairs_total", `rule="${label(rule)}"`, 1);
      if (receipt.fallbacks.length > 0) add("mull_gateway_fallbacks_total", model, 1);
      for (const what of ["opened", "broken", "carried"] as const)
        if (seals[what] > 0) add("mull_gateway_seals_total", `what="${what}"`, seals[what]);
      if (seals.lost.length > 0) add("mull_gateway_seals_total", 'what="lost"', seals.lost.length);
    },
    text: () =>
      [...all]
        .map(([name, { help, type, values }]) => {
          const lines = [...values]
            .map(([labels, value]) => `${name}${labels && `{${labels}}`} ${value}\n`)
            .join("");
          return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines}`;
        })
        .join(""),
  };
}
