import type { Given } from "../frame/command.ts";
import { listed } from "../frame/listed.ts";
import { resolveRef } from "./resolve.ts";

/** The models of `--fallback A,B`; each ref is checked before anything is asked. */
export function fallbackRefs(given: Given): readonly string[] {
  const refs = listed(given.texts("fallback"));
  for (const ref of refs) resolveRef(ref);
  return refs;
}
