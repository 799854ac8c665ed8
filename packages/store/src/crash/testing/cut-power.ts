import { cp } from "node:fs/promises";
import { join } from "node:path";
import type { Random } from "../../testing/random-messages.ts";
import { say } from "./material.ts";
import { rebuild } from "./rebuild.ts";
import type { FileOp } from "./trace-writes.ts";

export interface Recorded {
  /** Holds `base` (what was there before the first call), and gets a folder for each trial. */
  readonly work: string;
  readonly ops: readonly FileOp[];
  /** What was acknowledged, and after how many calls. */
  readonly acknowledged: readonly { readonly label: string; readonly at: number }[];
  readonly random: Random;
}

/** Builds what cuts at random moments would leave, and says what had been acknowledged by then. */
export async function cutPower(recorded: Recorded, trials: number): Promise<void> {
  const { work, ops, acknowledged, random } = recorded;
  const base = join(work, "base");
  const labelsUntil = (cut: number): string =>
    JSON.stringify(acknowledged.flatMap(({ label, at }) => (at <= cut ? [label] : [])));
  say(`syncs ${ops.filter(({ op }) => op === "sync").length}`);
  const changes = [...ops.keys()].filter((index) => ops[index]?.op !== "open");
  for (let trial = 0; trial < trials; trial++) {
    const target = join(work, `trial-${trial}`);
    const cut = changes[Math.floor(random() * changes.length)] ?? 0;
    await cp(base, target, { recursive: true });
    rebuild(target, ops.slice(0, cut), [0, 0.5, 0.9][trial % 3] ?? 0, random);
    say(`trial ${target} ${labelsUntil(cut)}`);
  }
  // The same without a single sync: the check must see that this loses rows.
  const control = join(work, "control");
  await cp(base, control, { recursive: true });
  const unsynced = ops.filter(({ op }) => op !== "sync");
  rebuild(control, unsynced, 0, random);
  say(`control ${control} ${labelsUntil(ops.length)}`);
}
