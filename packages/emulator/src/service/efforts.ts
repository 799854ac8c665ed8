import type { Model } from "mull";

/** Effort words a model takes; budget models may have some too. */
export const effortsOf = ({ thinking }: Model): readonly string[] =>
  "efforts" in thinking ? (thinking.efforts ?? []) : [];
