import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { copyText } from "./copy-text.ts";
import { Icon } from "./icon.tsx";

export interface CopyButtonProps {
  readonly text: string | (() => string);
  readonly label: string;
  /** Shown beside the sign, and part of the label. */
  readonly caption?: string;
}

const signs = { Copied: "done", "Not copied": "close" } as const;

export function CopyButton({ text, label, caption }: CopyButtonProps): JSX.Element {
  const [outcome, setOutcome] = useState<"Copied" | "Not copied">();
  const copy = async (): Promise<void> => {
    const isDone = await copyText(typeof text === "string" ? text : text());
    setOutcome(isDone ? "Copied" : "Not copied");
    setTimeout(() => setOutcome(undefined), 1500);
  };
  return (
    <button
      type="button"
      class={caption === undefined ? "icon" : "action"}
      aria-label={outcome ?? label}
      title={outcome ?? label}
      onClick={() => void copy()}
    >
      <Icon name={outcome === undefined ? "copy" : signs[outcome]} />
      {caption === undefined ? null : <span>{outcome ?? caption}</span>}
    </button>
  );
}
