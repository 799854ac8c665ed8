import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { CopyButton } from "../parts/copy-button.tsx";
import { memo } from "../preact-memo.ts";
import type { CodeSpan } from "./highlight.ts";

export interface CodeBlockProps {
  readonly text: string;
  readonly language: string;
  readonly isOpen: boolean;
}

const longestColoured = 10_000;
/** The highlighter reads a run of letters again from each of them: 20,000 `$` take it five seconds. */
const longRun = /\S{120}/;

/** Code, coloured once it has ended. The highlighter is loaded by the first block that wants it. */
export const CodeBlock: (props: CodeBlockProps) => JSX.Element = memo(
  ({ text, language, isOpen }: CodeBlockProps) => {
    const spans = useSpans(text, language, isOpen);
    return (
      <figure class="code">
        <figcaption>
          <span>{language || "text"}</span>
          <CopyButton text={text} label="Copy code" />
        </figcaption>
        <pre tabIndex={0} dir="ltr">
          <code>{spans === undefined ? renderPlain(text) : renderSpans(spans)}</code>
        </pre>
      </figure>
    );
  },
);

const linesTogether = 100;
const longPlain = 8000;

/** Long code is laid out in pieces, so that a line at its end does not lay out the rest again. */
function renderPlain(text: string): ComponentChildren {
  if (text.length < longPlain) return text;
  const lines = text.split("\n");
  const pieces = Math.ceil(lines.length / linesTogether);
  return Array.from({ length: pieces }, (_, index) => (
    <span key={index} class="lines">
      {lines.slice(index * linesTogether, (index + 1) * linesTogether).join("\n")}
    </span>
  ));
}

function useSpans(
  text: string,
  language: string,
  isOpen: boolean,
): readonly CodeSpan[] | undefined {
  const [found, setFound] = useState<{
    readonly text: string;
    readonly spans: readonly CodeSpan[];
  }>();
  const isWanted =
    !isOpen && language !== "" && text.length <= longestColoured && !longRun.test(text);
  useEffect(() => {
    if (!isWanted) return undefined;
    let isGone = false;
    void import("./highlight.ts").then(({ highlight }) => {
      const spans = isGone ? undefined : highlight(text, language);
      if (spans !== undefined) setFound({ text, spans });
      return undefined;
    });
    return () => {
      isGone = true;
    };
  }, [text, language, isWanted]);
  return found?.text === text ? found.spans : undefined;
}

const renderSpans = (spans: readonly CodeSpan[]): ComponentChildren =>
  spans.map((span, index) =>
    typeof span === "string" ? (
      span
    ) : (
      <span key={index} class={`hl-${span.scope}`}>
        {renderSpans(span.children)}
      </span>
    ),
  );
