import type { Run } from "../frame/command.ts";
import { UsageError } from "../frame/usage-error.ts";

export const run: Run = async () => {
  throw new UsageError("placeholder");
};
