import type { MullError } from "mull";
import { storeError } from "../store-error.ts";

/**
 * The right to be the only process that uses something. Ends with `release`, or with the process.
 */
export interface Hold {
  readonly release: () => Promise<void>;
}

export const isHeld = (resource: string, pid: string): MullError =>
  storeError(
    "held",
    `${resource} is in use by process ${pid}. Close it there, or choose another place.`,
  );
