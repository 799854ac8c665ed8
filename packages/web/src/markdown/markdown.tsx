import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { memo } from "../preact-memo.ts";
import { CodeBlock } from "./code-block.tsx";
import { revealUnseen } from "./inline-text.ts";
import { Prose } from "./prose.tsx";
import { createBlockSplitter, type MarkdownBlock } from "./split-blocks.ts";

export interface MarkdownProps {
  readonly text: string;
}

/** Characters drawn at once; what is longer comes in slices, so that the page never stands still. */
const slice = 12_000;

/** Markdown of a model as elements. A text that grows is read from its open end only. */
export const Markdown: (props: MarkdownProps) => JSX.Element = memo(({ text }: MarkdownProps) => {
  const splitter = useMemo(createBlockSplitter, []);
  const blocks = splitter.split(revealUnseen(text));
  const [room, setRoom] = useState(slice);
  const shown = countWithin(blocks, room);
  const isWhole = shown === blocks.length;
  useEffect(() => {
    if (isWhole) return undefined;
    const timer = setTimeout(() => {
      setRoom((before) => before + slice);
    }, 16);
    return () => {
      clearTimeout(timer);
    };
  }, [isWhole, room]);
  return (
    <div class="markdown">
      {blocks
        .slice(0, shown)
        .map((block, index) =>
          block.kind === "code" ? (
            <CodeBlock
              key={index}
              text={block.text}
              language={block.language}
              isOpen={block.isOpen}
            />
          ) : (
            <Prose key={index} text={block.text} />
          ),
        )}
    </div>
  );
});

function countWithin(blocks: readonly MarkdownBlock[], room: number): number {
  let left = room;
  const end = blocks.findIndex((block) => {
    left -= block.text.length;
    return left < 0;
  });
  return end === -1 ? blocks.length : end + 1;
}
