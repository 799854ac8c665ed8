/** The services as a `fetch` in process, with scripts and faults. */
export { emulate, type Emulator } from "./emulate.ts";
export type { PlannedFaults } from "./fault/fault-plan.ts";
export type { Fault } from "./fault/fault.ts";
export {
  calls,
  cuts,
  fails,
  omits,
  redacts,
  refuses,
  says,
  stalls,
  thinks,
  type Action,
} from "./script/actions.ts";
export { parseScripts } from "./script/parse-scripts.ts";
export { script, type Script, type When } from "./script/script.ts";
export type { Clock } from "./world/clock.ts";
export type { Failure } from "./world/draft.ts";
export type { JournalEntry } from "./world/journal.ts";
export type { EmulatorOptions } from "./world/options.ts";
