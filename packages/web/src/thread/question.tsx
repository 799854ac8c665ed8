import type { UIMessage } from "@mull/ui-messages";
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Branching } from "../api.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { memo } from "../preact-memo.ts";
import { Branches } from "./branches.tsx";
import { FileView } from "./file-view.tsx";
import { ForkButton } from "./fork-button.tsx";
import { filesIn, textOf, unreadableIn } from "./read-turn.ts";
import type { TurnActions } from "./turn-actions.ts";
import { Unreadable } from "./unreadable.tsx";

export interface QuestionProps {
  readonly message: UIMessage;
  readonly branching: Branching | undefined;
  readonly isEditing: boolean;
  readonly onEditing: (messageId: string | undefined) => void;
  readonly actions: TurnActions;
}

/** What the user said. It is text: nothing in it is read as Markdown. */
export const Question: (props: QuestionProps) => JSX.Element = memo((props: QuestionProps) => {
  const { message, isEditing, onEditing, actions, branching } = props;
  const text = textOf(message);
  return (
    <article
      class="message question"
      id={`m-${message.id}`}
      tabIndex={-1}
      aria-label="Your question"
      data-message={message.id}
    >
      <h2 class="spoken">You</h2>
      {filesIn(message).map((file, index) => (
        <FileView key={index} file={file} />
      ))}
      {isEditing ? (
        <EditField
          text={actions.readEdit(message.id) || text}
          onChange={(changed) => actions.keepEdit(message.id, changed)}
          onSend={(changed) => actions.edit(message.id, changed)}
          onCancel={() => onEditing(undefined)}
        />
      ) : text === "" ? null : (
        <p class="said" dir="auto">
          {text}
        </p>
      )}
      <Unreadable problems={unreadableIn(message.parts)} />
      {isEditing ? null : (
        <div class="told">
          <div class="actions">
            <CopyButton text={text} label="Copy question" caption="Copy" />
            <ActionButton label="Edit" icon="edit" onClick={() => onEditing(message.id)}>
              Edit
            </ActionButton>
            <ForkButton messageId={message.id} actions={actions} />
          </div>
          <Branches branching={branching} onGo={actions.goTo} what="question" />
        </div>
      )}
    </article>
  );
});

interface EditFieldProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
}

function EditField({ text, onChange, onSend, onCancel }: EditFieldProps): JSX.Element {
  const [changed, setChanged] = useState(text);
  const field = useRef<HTMLTextAreaElement>(null);
  const isAsked = useRef(false);
  const send = (): void => {
    isAsked.current = true;
    onSend(changed);
  };
  // `autofocus` counts only while nothing else has the focus, and the composer does.
  useLayoutEffect(() => {
    const given = document.activeElement;
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
    return () => {
      // After asking, people keep writing; otherwise they keep reading.
      const next = isAsked.current ? document.querySelector("#composer") : given;
      if (next instanceof HTMLElement) next.focus();
    };
  }, []);
  return (
    <form
      class="edit"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={field}
        aria-label="Edit the question"
        rows={Math.min(12, changed.split("\n").length + 1)}
        value={changed}
        onInput={({ currentTarget }) => {
          setChanged(currentTarget.value);
          onChange(currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
            event.preventDefault();
            send();
          }
          if (event.key !== "Escape") return;
          event.stopPropagation();
          onCancel();
        }}
      />
      <div class="buttons">
        <button type="submit" class="main">
          Ask again
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
