import type { SqlRow, SqlValue } from "../postgres/driver.ts";

/** What the driver asks the thread of the engine. */
export type EngineRequest =
  | {
      readonly id: number;
      readonly type: "query";
      readonly text: string;
      readonly values: readonly SqlValue[];
    }
  | { readonly id: number; readonly type: "close" };

export interface EngineFailure {
  readonly message: string;
  readonly code?: string;
  /** The engine itself broke: whatever it says from now on cannot be believed. */
  readonly isFatal: boolean;
}

export type EngineAnswer =
  | { readonly type: "ready" }
  | {
      readonly type: "done";
      readonly id: number;
      readonly rows: readonly SqlRow[];
      readonly affected: number;
    }
  | { readonly type: "failed"; readonly id: number; readonly failure: EngineFailure }
  | { readonly type: "unopened"; readonly failure: EngineFailure };
