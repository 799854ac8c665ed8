import { levels, type Level } from "mull";
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Dial } from "../dial/dial.tsx";
import { modelOf, shortName } from "../dial/list-models.ts";
import { writePlanLine, type Outlook } from "../dial/stops.ts";
import { turnDial } from "../dial/turn-dial.ts";
import type { UIFilePart } from "../thread/read-turn.ts";
import { SendButton } from "./send-button.tsx";
import { AttachButton, Attached } from "./attached.tsx";

export interface ComposerProps {
  readonly text: string;
  readonly files: readonly UIFilePart[];
  readonly model: string;
  readonly level: Level;
  readonly outlook: Outlook;
  /** The dial is behind a chip, so that the composer takes one line. */
  readonly isPhone: boolean;
  readonly isRunning: boolean;
  readonly isQueued: boolean;
  /** After what is sent: the tokens of the question. */
  readonly tokens: ComponentChildren;
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
  const { text, files, model, level, isRunning, isQueued, onText, onStop } = props;
  const isEmpty = text.trim() === "" && files.length === 0;
  const field = useRef<HTMLTextAreaElement>(null);
  useGrowing(field, text);
  const row = useMemo(() => modelOf(model), [model]);
  const [isOpen, setOpen] = useState(false);
  const onSend = (): void => {
    setOpen(false);
    props.onSend();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const action = actionOf(event, { ...props, onSend });
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  const hasDial = isOpen || !props.isPhone;
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
        {props.isPhone ? (
          <button
            type="button"
            class="chip"
            aria-label={`Model and thinking: ${shortName(model)}, ${level}`}
            aria-expanded={isOpen}
            aria-controls="turn-dial"
            onClick={() => setOpen(!isOpen)}
          >
            {level} <span aria-hidden="true">{isOpen ? "▾" : "▴"}</span>
          </button>
        ) : null}
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
        <SendButton isRunning={isRunning} isEmpty={isEmpty} isQueued={isQueued} onStop={onStop} />
      </div>
      <div class="dial-row" id="turn-dial" hidden={!hasDial}>
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
      <PlanWords {...props} isWhole={hasDial} />
    </form>
  );
}

/** `isWhole`: with what is sent; what to be warned of is said in any case. */
function PlanWords({
  model,
  level,
  outlook,
  tokens,
  isWhole,
}: ComposerProps & { readonly isWhole: boolean }): JSX.Element {
  const line = useMemo(
    () => writePlanLine(modelOf(model), level, outlook),
    [model, level, outlook],
  );
  return (
    <div class="plan" id="plan">
      <p class={isWhole ? "sends" : "unseen"}>
        {line.sends}
        {isWhole ? tokens : null}
      </p>
      {line.warnings.map((warning) => (
        <p key={warning} class="warn">
          ⚠ {warning}
        </p>
      ))}
      {isWhole ? line.notes.map((note) => <p key={note}>{note}</p>) : null}
    </div>
  );
}

/** The action of a key in the composer; `undefined`: what it does in any text field. */
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
