import { describe, inject } from "vitest";
import { leaveOut } from "../left-out.ts";

const isThere = inject("hasChromium");
if (!isThere) leaveOut("browser");

/** Tests that need a real browser. Without one they are left out, and the run says so at its end. */
export const inChromium = describe.runIf(isThere);
