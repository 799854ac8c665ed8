import { matches, type Asked, type When } from "../script/script.ts";
import { parseFaults, type Fault } from "./fault.ts";

/** Faults for matching requests, always or a number of times. */
export interface PlannedFaults {
  readonly faults: string;
  readonly when?: When;
  readonly times?: number;
}

export interface FaultPlan {
  readonly add: (planned: PlannedFaults) => void;
  /** The faults for this request. Counts each of them down. */
  readonly take: (asked: Asked) => readonly Fault[];
  readonly reset: () => void;
}

export const createFaultPlan = (always: string | undefined): FaultPlan => {
  const standing = parseFaults(always ?? "");
  let planned: { faults: readonly Fault[]; when: When | undefined; left: number }[] = [];
  return {
    add: ({ faults, when, times }) => {
      planned.push({ faults: parseFaults(faults), when, left: times ?? Infinity });
    },
    take: (asked) => {
      const hits = planned.filter((plan) => plan.left > 0 && matches(plan.when, asked));
      for (const hit of hits) hit.left -= 1;
      return [...standing, ...hits.flatMap((hit) => hit.faults)];
    },
    reset: () => {
      planned = [];
    },
  };
};
