import type { Model } from "mull";
import type { ComponentChildren, JSX } from "preact";
import { formatCount } from "../format.ts";
import { Icon } from "../parts/icon.tsx";
import type { ThreadState } from "../state/app-state.ts";
import type { ThinkingPreference } from "../state/preferences.ts";
import { Answer } from "./answer.tsx";
import { Question } from "./question.tsx";
import { Problems } from "./unreadable.tsx";
import type { TurnActions } from "./turn-actions.ts";
import { useFollowing } from "./use-following.ts";
import { useShown } from "./use-shown.ts";

export interface ThreadViewProps {
  readonly thread: ThreadState;
  readonly chosen: Model;
  readonly preference: ThinkingPreference;
  readonly actions: TurnActions;
  readonly onEditing: (messageId: string | undefined) => void;
  /** Where the conversation is downloaded as it is stored. */
  readonly rawAddress: string | undefined;
  /** Shown at the side of the column if there is room. */
  readonly beside: ComponentChildren;
  /** Shown while there is nothing to read. */
  readonly empty: ComponentChildren;
}

/** The conversation. It follows its end only while the reader is there. */
export function ThreadView(props: ThreadViewProps): JSX.Element {
  const { thread, empty } = props;
  const { box, isAtEnd, toEnd, ...listeners } = useFollowing(thread);
  const isEmpty = thread.messages.length === 0 && thread.running === undefined;
  return (
    <div class="thread-frame">
      <div
        ref={box}
        id="thread"
        class="thread"
        role="log"
        aria-label="Conversation"
        aria-live="off"
        aria-busy={thread.running !== undefined}
        tabIndex={0}
        {...listeners}
      >
        <div class={thread.isReadOnly ? "column read-only" : "column"}>
          {thread.isLoading && isEmpty ? <Skeleton /> : null}
          <Trouble thread={thread} actions={props.actions} />
          <Problems
            problems={thread.problems}
            rawAddress={props.rawAddress}
            onCopy={() => props.actions.fork({ readable: true })}
          />
          {isEmpty && !thread.isLoading && thread.trouble === undefined ? empty : null}
          <Messages {...props} />
        </div>
      </div>
      {props.beside}
      {isAtEnd ? null : (
        <button type="button" class="to-end" onClick={toEnd}>
          <Icon name="down" /> {thread.running === undefined ? "end" : "new"}
        </button>
      )}
    </div>
  );
}

function Messages({
  thread,
  chosen,
  preference,
  actions,
  onEditing,
}: ThreadViewProps): JSX.Element {
  const { running, branchings, editing, sending } = thread;
  const { messages, earlier, showEarlier } = useShown(thread);
  const last = messages.at(-1);
  const isWaiting = running !== undefined && last?.role !== "assistant";
  return (
    <>
      {earlier === 0 ? null : (
        <button type="button" class="earlier" onClick={showEarlier}>
          Show earlier messages ({formatCount(earlier)})
        </button>
      )}
      {messages.map((message) => {
        const branching = branchings.find(({ messageId }) => messageId === message.id);
        if (message.role === "user") {
          return (
            <Question
              key={message.id}
              message={message}
              branching={branching}
              isEditing={editing === message.id}
              onEditing={onEditing}
              actions={actions}
            />
          );
        }
        const isLive = running !== undefined && message.id === running.turnId && message === last;
        return (
          <Answer
            key={message.id}
            message={message}
            isLive={isLive}
            isLast={message === last}
            chosen={chosen}
            preference={preference}
            actions={actions}
            branching={branching}
          />
        );
      })}
      {isWaiting ? (
        <p class="waiting">{sending !== undefined ? "Sending…" : `Waiting for ${chosen.id}…`}</p>
      ) : null}
    </>
  );
}

/** What is wrong with the conversation itself, above it. */
function Trouble({
  thread,
  actions,
}: Pick<ThreadViewProps, "thread" | "actions">): JSX.Element | null {
  const { trouble, findings, isReadOnly } = thread;
  if (trouble === undefined && findings.length === 0) return null;
  const title = isReadOnly
    ? "Read only: this file was not imported."
    : trouble === undefined
      ? "A model would refuse this conversation as it is. mull repairs what it can before sending it."
      : "This conversation cannot be shown.";
  return (
    <section class="failure" role="alert">
      <p class="what">
        <strong>{title}</strong>
      </p>
      {trouble === undefined ? null : <p dir="auto">{trouble}</p>}
      <ul>
        {findings.map(({ rule, message }) => (
          <li key={`${rule} ${message}`} dir="auto">
            <code>{rule}</code> {message}
          </li>
        ))}
      </ul>
      {isReadOnly ? null : <WhatNow thread={thread} actions={actions} />}
    </section>
  );
}

function WhatNow({
  thread: { trouble, conversation },
  actions,
}: Pick<ThreadViewProps, "thread" | "actions">): JSX.Element {
  if (trouble !== undefined && conversation === undefined) {
    return (
      <p>
        It may have been deleted, or belong to another account. <a href="#/">Start a new one</a>
      </p>
    );
  }
  const [words, run] =
    trouble === undefined ? ["Inspect", () => actions.inspect()] : ["Try again", actions.readAgain];
  return (
    <div class="buttons">
      <button type="button" onClick={run}>
        {words}
      </button>
    </div>
  );
}

const Skeleton = (): JSX.Element => (
  <div class="skeleton" role="status" aria-label="Loading the conversation">
    <span />
    <span />
    <span />
  </div>
);
