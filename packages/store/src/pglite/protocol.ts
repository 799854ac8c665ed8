import type { SqlResult, SqlValue } from "../postgres/driver.ts";
import type { EngineFailure } from "./engine-failure.ts";

/** One statement for the engine. */
export interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** What the driver asks the thread of the engine. */
export type EngineRequest =
  | { readonly id: number; readonly type: "run"; readonly group: readonly Statement[] }
  | { readonly id: number; readonly type: "close" };

/** The outcome of one statement. */
export type EngineOutcome = SqlResult | { readonly failure: EngineFailure };

export type EngineAnswer =
  | { readonly type: "ready" }
  | { readonly type: "done"; readonly id: number; readonly outcomes: readonly EngineOutcome[] }
  | { readonly type: "failed"; readonly id: number; readonly failure: EngineFailure }
  | { readonly type: "unopened"; readonly failure: EngineFailure };
