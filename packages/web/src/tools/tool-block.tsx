import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { CopyButton } from "../parts/copy-button.tsx";
import { memo } from "../preact-memo.ts";
import { describeTool, readOutput, type ToolWords, type UIToolPart } from "./describe-tool.ts";

export interface ToolProps {
  readonly part: UIToolPart;
  readonly isLive: boolean;
}

/** One call and its result, in the place where it came. */
export const ToolBlock: (props: ToolProps) => JSX.Element = memo(({ part, isLive }: ToolProps) => {
  const words = describeTool(part, isLive);
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class={`tool ${words.state}`}
      open={isOpen}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
      }}
    >
      <summary>
        <span class="chevron" aria-hidden="true" />
        <ToolLine words={words} />
      </summary>
      {isOpen ? <ToolBody part={part} /> : null}
    </details>
  );
});

/** A call on one line: name, arguments, and how it went. */
export const ToolLine = ({ words }: { readonly words: ToolWords }): JSX.Element => (
  <>
    <span class="label">
      <code>{words.name}</code> <span class="brief">{words.brief}</span>
    </span>
    <span class={`status ${words.state}`}>{words.status}</span>
  </>
);

export function ToolBody({ part }: { readonly part: UIToolPart }): JSX.Element {
  const output = part.output === undefined ? undefined : readOutput(part.output);
  return (
    <div class="tool-body">
      {part.input === undefined ? null : (
        <FoldedText title="Input" text={JSON.stringify(part.input, undefined, 2) ?? ""} />
      )}
      {part.errorText === undefined ? null : <FoldedText title="Error" text={part.errorText} />}
      {output === undefined || output.text === "" ? null : (
        <FoldedText title="Output" text={output.text} />
      )}
      {output?.images.map(({ mediaType, data }, index) => (
        <img
          key={index}
          src={`data:${mediaType};base64,${data}`}
          alt={`Image ${index + 1} of the tool's output`}
        />
      ))}
    </div>
  );
}

const foldedLines = 20;
const longestShown = 100_000;

function FoldedText({
  title,
  text,
}: {
  readonly title: string;
  readonly text: string;
}): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const lines = text.split("\n");
  const isLong = lines.length > foldedLines || text.length > 4000;
  const head = lines.slice(0, foldedLines).join("\n").slice(0, 4000);
  const shown = isLong && !isWhole ? head : text.slice(0, longestShown);
  return (
    <section>
      <header>
        <h3>{title}</h3>
        <CopyButton text={text} label={`Copy ${title.toLowerCase()}`} />
      </header>
      <pre tabIndex={0} dir="auto">
        {shown}
      </pre>
      {text.length > longestShown && isWhole ? (
        <p class="reason">The rest is in the copy.</p>
      ) : null}
      {isLong ? (
        <button type="button" class="plain" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : `Show all ${lines.length} lines`}
        </button>
      ) : null}
    </section>
  );
}
