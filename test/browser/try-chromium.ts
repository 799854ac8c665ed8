import type { TestProject } from "vitest/node";
import { hasChromium } from "./chromium.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly hasChromium: boolean;
  }
}

/** Asked once before the first file, not by each of them. */
export async function setup(project: TestProject): Promise<void> {
  project.provide("hasChromium", await hasChromium());
}
