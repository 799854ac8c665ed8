import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

export interface CopyButtonProps {
  readonly text: string | (() => string);
  readonly label: string;
  /** Shown beside the sign; without it the label is read out only. */
  readonly caption?: string;
}

export function CopyButton({ text, label, caption }: CopyButtonProps): JSX.Element {
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(typeof text === "string" ? text : text());
    setDone(true);
    setTimeout(() => {
      setDone(false);
    }, 1500);
  };
  return (
    <button
      type="button"
      class={caption === undefined ? "icon" : "plain"}
      aria-label={caption === undefined ? label : undefined}
      title={label}
      onClick={() => void copy()}
    >
      <Icon name={isDone ? "done" : "copy"} />
      {caption === undefined ? null : <span>{isDone ? "Copied" : caption}</span>}
    </button>
  );
}
