import { render } from "katex";
import type { Formula } from "./read-formula.ts";

/**
 * Draws a formula into an empty element: elements and styles one by one, no markup, so that the
 * content policy holds. `false`: it cannot be read. What would link or load anything is refused.
 */
export function drawFormula({ tex, isDisplay }: Formula, into: HTMLElement): boolean {
  try {
    render(tex, into, {
      displayMode: isDisplay,
      output: "htmlAndMathml",
      trust: false,
      strict: "ignore",
      // An invalid formula is shown as text, readable in both themes.
      errorColor: "inherit",
      maxSize: 20,
      maxExpand: 500,
    });
    return true;
  } catch {
    into.replaceChildren();
    return false;
  }
}
