import type { Model } from "mull";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Markdown } from "../markdown/markdown.tsx";
import type { ThinkingPreference } from "../state/preferences.ts";
import { Thought } from "../thinking/thought.tsx";
import type { WorkGroup } from "../thread/group-work.ts";
import type { ThreadTurn } from "../thread/read-turn.ts";
import { ToolBlock, ToolBody, ToolLine } from "../tools/tool-block.tsx";
import { findRunning, readSteps, startOf, type WorkStep } from "./read-steps.ts";
import { writeLine } from "./write-line.ts";

export interface WorkProps {
  readonly group: WorkGroup;
  readonly turn: ThreadTurn;
  /** The turn runs, and nothing has come after this group. */
  readonly isLive: boolean;
  readonly chosen: Model;
  readonly preference: ThinkingPreference;
}

/**
 * Thoughts and calls as one line that unfolds. What the user opened or closed stays so, whatever
 * the stream does.
 */
export function Work(props: WorkProps): JSX.Element | null {
  const { group, turn, isLive, preference } = props;
  const [choice, setChoice] = useState<boolean>();
  const running = findRunning(group, isLive);
  const isFirst = group.isFirst && group.blocks.length === 1;
  const elapsedMs = useSeconds(
    running !== undefined,
    running === undefined ? undefined : startOf(running, turn, isFirst),
  );
  const steps = readSteps({ ...props, elapsedMs });
  const isOpen = choice ?? preference === "full";
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  if (steps.length === 0) return null;
  const isPeeking = running !== undefined && choice === undefined && preference === "peek";
  return (
    <div class={isLive ? "work live" : "work"}>
      <details
        open={isOpen}
        onToggle={({ currentTarget }) => {
          if (currentTarget.open !== isOpen) setChoice(currentTarget.open);
        }}
      >
        <summary>
          <span class="chevron" aria-hidden="true" />
          <Line steps={steps} isLive={isLive} />
        </summary>
        <Steps steps={isPeeking ? steps.slice(0, -1) : steps} isLive={isLive} wasOpen={wasOpen} />
      </details>
      {isPeeking && running.text !== "" ? <Peek text={running.text} /> : null}
    </div>
  );
}

interface StepsProps {
  readonly steps: readonly WorkStep[];
  readonly isLive: boolean;
}

/** A call by itself has its arguments and size in the line, too. */
function Line({ steps, isLive }: StepsProps): JSX.Element {
  const [first, ...rest] = steps;
  if (rest.length === 0 && first?.kind === "tool") return <ToolLine words={first.words} />;
  return <span class="label">{writeLine(steps, isLive)}</span>;
}

function Steps({
  steps,
  isLive,
  wasOpen,
}: StepsProps & { readonly wasOpen: boolean }): ComponentChildren {
  const isOnly = steps.length === 1;
  return (
    <ol class="steps">
      {steps.map((step, index) =>
        step.kind === "thinking" ? (
          <li key={index} class={`step thinking ${step.words.state}`}>
            {isOnly ? null : <p class="label">{step.words.label}</p>}
            <Thought
              text={step.text}
              reason={step.words.reason}
              isStreaming={step.isStreaming}
              wasOpen={wasOpen}
            />
          </li>
        ) : (
          <li key={index} class="step">
            {isOnly ? (
              wasOpen && <ToolBody part={step.part} />
            ) : (
              <ToolBlock part={step.part} isLive={isLive} />
            )}
          </li>
        ),
      )}
    </ol>
  );
}

/** The last lines of what is being thought. All of it is in the line above. */
const Peek = ({ text }: { readonly text: string }): JSX.Element => (
  <div class={text.length > 400 ? "peek long" : "peek"} dir="auto" inert>
    <Markdown text={text} />
  </div>
);

/** Ticks once a second while a thought runs. */
function useSeconds(isRunning: boolean, startedAt: number | undefined): number | undefined {
  const [mountedAt] = useState(() => Date.now());
  const [now, setNow] = useState(mountedAt);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => {
      setNow(Date.now());
    }, 1000);
    return () => {
      clearInterval(timer);
    };
  }, [isRunning]);
  return isRunning ? Math.max(0, now - (startedAt ?? mountedAt)) : undefined;
}
