import type { Attributes, Meter } from "@opentelemetry/api";
import type { Receipt } from "mull";
import { usageAttributes } from "./attributes.ts";

/** What is measured, with the buckets that the conventions name. */
export interface Instruments {
  readonly used: (receipt: Receipt, who: Attributes) => void;
  readonly lasted: (seconds: number, who: Attributes) => void;
  readonly began: (seconds: number, who: Attributes) => void;
  readonly ran: (seconds: number, who: Attributes) => void;
}

const seconds = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
const tokens = Array.from({ length: 14 }, (_, power) => 4 ** power);

export function createInstruments(meter: Meter): Instruments {
  const histogram = (name: string, unit: string, explicitBucketBoundaries: number[]) =>
    meter.createHistogram(name, { unit, advice: { explicitBucketBoundaries } });
  const usage = histogram("gen_ai.client.token.usage", "{token}", tokens);
  const duration = histogram("gen_ai.client.operation.duration", "s", seconds);
  const firstChunk = histogram("gen_ai.client.operation.time_to_first_chunk", "s", seconds);
  const tool = histogram("gen_ai.execute_tool.duration", "s", seconds);
  const cost = meter.createCounter("mull.client.cost", { unit: "{USD}" });
  return {
    used: (receipt, who) => {
      const counts = usageAttributes(receipt.usage ?? {});
      for (const type of ["input", "output"]) {
        const count = counts[`gen_ai.usage.${type}_tokens`];
        if (typeof count === "number") usage.record(count, { ...who, "gen_ai.token.type": type });
      }
      if (receipt.cost !== undefined) cost.add(receipt.cost.total, who);
    },
    lasted: (time, who) => duration.record(time, who),
    began: (time, who) => firstChunk.record(time, who),
    ran: (time, who) => tool.record(time, who),
  };
}
