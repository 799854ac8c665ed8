import { inject } from "vitest";
import { leaveOut } from "../left-out.ts";

/** Whether tests that need a real browser can run. Without one they are left out, and the run says so at its end. */
export const inChromium: boolean = inject("hasChromium");
if (!inChromium) leaveOut("browser");
