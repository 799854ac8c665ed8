import { levels, type Level } from "mull";
import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Dial } from "../dial/dial.tsx";
import { modelOf, shortName } from "../dial/list-models.ts";
import { writePlanLine, type Outlook } from "../dial/stops.ts";
import { turnDial } from "../dial/turn-dial.ts";
import { Icon } from "../parts/icon.tsx";
import type { UIFilePart } from "../thread/read-turn.ts";
import { AttachButton, Attached } from "./attached.tsx";

export interface ComposerProps {
  readonly text: string;
  readonly files: readonly UIFilePart[];
  readonly model: string;
  readonly level: Level;
  readonly outlook: Outlook;
  readonly isRunning: boolean;
  readonly isQueued: boolean;
  readonly onText: (text: string) => void;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onRemove: (file: UIFilePart) => void;
  readonly onSend: () => void;
  readonly onStop: () => void;
  readonly onLevel: (level: Level) => void;
  readonly onModelMenu: () => void;
  /** ↑ in an empty composer. */
  readonly onEditLast: () => void;
}

/** Where questions are written, with the dial and what it would send. */
export function Composer(props: ComposerProps): JSX.Element {
  const { text, files, model, level, isRunning, isQueued, onText, onSend, onStop } = props;
  const isEmpty = text.trim() === "" && files.length === 0;
  const field = useRef<HTMLTextAreaElement>(null);
  useGrowing(field, text);
  const onKeyDown = (event: KeyboardEvent): void => {
    const action = actionOf(event, props);
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  const row = useMemo(() => modelOf(model), [model]);
  return (
    <form
      class="composer"
      aria-label="Ask"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <Attached files={files} onRemove={props.onRemove} />
      <div class="field">
        <textarea
          ref={field}
          id="composer"
          rows={1}
          aria-label="Message"
          aria-describedby="plan"
          placeholder={isRunning ? "Ask next" : "Ask anything"}
          value={text}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <AttachButton onFiles={props.onFiles} />
        {/* Two buttons and not one that changes: a click on Stop that brings text back would send it. */}
        {isRunning && isEmpty ? (
          <button
            key="stop"
            type="button"
            class="send"
            aria-label="Stop"
            title="Stop (Esc)"
            onClick={({ detail }) => {
              // The second half of a double click on Send, which stood here a moment ago.
              if (detail < 2) onStop();
            }}
          >
            <Icon name="stop" />
          </button>
        ) : (
          <button
            key="send"
            type="submit"
            class="send"
            aria-label={isRunning ? "Queue" : "Send"}
            title={isRunning ? "Send after this answer" : "Send (Enter)"}
            disabled={isEmpty || isQueued}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
      <div class="dial-row">
        <button
          type="button"
          class="model-button"
          aria-haspopup="dialog"
          title="Choose a model"
          onClick={props.onModelMenu}
        >
          {shortName(model)} <span aria-hidden="true">▾</span>
        </button>
        <Dial model={row} level={level} onLevel={props.onLevel} />
      </div>
      <PlanWords {...props} />
    </form>
  );
}

function PlanWords({ model, level, outlook }: ComposerProps): JSX.Element {
  const line = useMemo(
    () => writePlanLine(modelOf(model), level, outlook),
    [model, level, outlook],
  );
  return (
    <div class="plan" id="plan">
      <p class="sends">{line.sends}</p>
      {line.warnings.map((warning) => (
        <p key={warning} class="warn">
          ⚠ {warning}
        </p>
      ))}
      {line.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  );
}

/** What a key means in the composer; `undefined`: what it means in any text field. */
function actionOf(event: KeyboardEvent, props: ComposerProps): (() => void) | undefined {
  if (event.isComposing) return undefined;
  const { text, level, onLevel, onSend, onEditLast } = props;
  const isPlain = !event.altKey && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (event.key === "Enter" && !event.shiftKey && !event.altKey) return onSend;
  if (event.altKey && event.key === "ArrowUp") return () => onLevel(turnDial(levels, level, 1));
  if (event.altKey && event.key === "ArrowDown") return () => onLevel(turnDial(levels, level, -1));
  if (isPlain && event.key === "ArrowUp" && text === "") return onEditLast;
  return undefined;
}

const tallest = 320;

/** As tall as its text, up to a third of a screen. */
function useGrowing(field: { readonly current: HTMLTextAreaElement | null }, text: string): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(tallest, element.scrollHeight)}px`;
  }, [text]);
}
