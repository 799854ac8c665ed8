import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { memo } from "../preact-memo.ts";
import { readFormula } from "./read-formula.ts";

export interface MathsViewProps {
  /** With its signs. */
  readonly text: string;
  readonly isBlock: boolean;
}

/** A formula as it was written, until it is drawn. What draws it is loaded by the first one. */
export const MathsView: (props: MathsViewProps) => JSX.Element = memo(
  ({ text, isBlock }: MathsViewProps) => {
    const formula = useMemo(() => readFormula(text), [text]);
    const place = useRef<HTMLSpanElement>(null);
    const [drawn, setDrawn] = useState<string>();
    useEffect(() => {
      if (formula === undefined) return undefined;
      let isGone = false;
      const loading = [import("./draw-formula.ts"), import("katex/dist/katex.min.css")] as const;
      void Promise.all(loading).then(([{ drawFormula }]) => {
        const into = place.current;
        if (isGone || into === null) return undefined;
        into.replaceChildren();
        if (drawFormula(formula, into)) setDrawn(text);
        return undefined;
      });
      return () => {
        isGone = true;
      };
    }, [formula, text]);
    const isDrawn = drawn === text;
    const asWritten = isBlock ? (
      <pre class="maths" tabIndex={0} dir="ltr">
        {text}
      </pre>
    ) : (
      <code class="maths" dir="ltr">
        {text}
      </code>
    );
    return (
      <>
        {isDrawn ? null : asWritten}
        {/* Nothing of Preact's is in it: what draws the formula fills it. */}
        <span
          ref={place}
          class={isBlock ? "formula block" : "formula"}
          dir="ltr"
          title={isDrawn ? text : undefined}
          hidden={!isDrawn}
          {...(isBlock && { tabIndex: 0, role: "region", "aria-label": "Formula" })}
        />
      </>
    );
  },
);
