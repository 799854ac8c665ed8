import type { Model } from "mull";
import type { Branching } from "../api.ts";
import type { UIMessage } from "@mull/ui-messages";
import type { ComponentChildren, JSX } from "preact";
import { Markdown } from "../markdown/markdown.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { memo } from "../preact-memo.ts";
import { describeSpent } from "../receipt/describe-spent.ts";
import { warnOf } from "../receipt/step-receipt.ts";
import type { ThinkingPreference } from "../state/preferences.ts";
import { Work } from "../work/work.tsx";
import { groupWork, type TurnGroup } from "./group-work.ts";
import { modelsOf, readTurn, textOf, type ThreadTurn } from "./read-turn.ts";
import { Branches } from "./branches.tsx";
import { FileView } from "./file-view.tsx";
import { ForkButton } from "./fork-button.tsx";
import { Unreadable } from "./unreadable.tsx";
import { TurnEnd } from "./turn-end.tsx";
import type { TurnActions } from "./turn-actions.ts";

export interface AnswerProps {
  readonly message: UIMessage;
  readonly isLive: boolean;
  readonly isLast: boolean;
  readonly chosen: Model;
  readonly preference: ThinkingPreference;
  readonly actions: TurnActions;
  readonly branching: Branching | undefined;
}

/** A whole turn of the model: thoughts, calls and text in the order they came. */
export const Answer: (props: AnswerProps) => JSX.Element = memo((props: AnswerProps) => {
  const { message, isLive } = props;
  const turn = readTurn(message);
  const model = modelsOf(turn).join(" → ") || "a model";
  return (
    <article
      class="message answer"
      id={`m-${message.id}`}
      tabIndex={-1}
      aria-label={`Answer of ${model}`}
      aria-busy={isLive}
      data-message={message.id}
    >
      <h2 class="spoken">Answer of {model}</h2>
      <Said turn={turn} {...props} />
      {isLive && turn.blocks.length === 0 ? <p class="waiting">Waiting for {model}…</p> : null}
      {message.parts.some(({ type }) => type === "data-unsaved") ? (
        <p class="end">The server could not save this answer yet. Copy what you need.</p>
      ) : null}
      {isLive ? null : <TurnEnd turn={turn} {...props} />}
      {isLive ? null : turn.blocks.length > 0 ? (
        <AnswerFooter turn={turn} {...props} />
      ) : (
        <Branches branching={props.branching} onGo={props.actions.goTo} what="answer" />
      )}
    </article>
  );
});

interface SaidProps extends Pick<AnswerProps, "isLive" | "chosen" | "preference"> {
  readonly turn: ThreadTurn;
}

/** All that the model said, in its order. */
export function Said(props: SaidProps): JSX.Element {
  const groups = groupWork(props.turn.blocks);
  return (
    <>
      {groups.map((group, index) => (
        <GroupView key={index} group={group} isEnd={index === groups.length - 1} {...props} />
      ))}
    </>
  );
}

interface GroupViewProps extends SaidProps {
  readonly group: TurnGroup;
  readonly isEnd: boolean;
}

/** A part of an answer: work, text, a file. */
function GroupView({
  group,
  turn,
  isEnd,
  isLive,
  chosen,
  preference,
}: GroupViewProps): ComponentChildren {
  switch (group.kind) {
    case "work":
      return (
        <Work
          group={group}
          turn={turn}
          isLive={isLive && isEnd}
          chosen={chosen}
          preference={preference}
        />
      );
    case "text":
      return (
        <div class={group.isRefusal ? "text refusal" : "text"}>
          <Markdown text={group.text} />
        </div>
      );
    case "unreadable":
      return <Unreadable problems={group.problems} />;
    case "file":
      return <FileView file={group.file} />;
    default:
      return group satisfies never;
  }
}

function AnswerFooter({
  turn,
  message,
  actions,
  branching,
}: AnswerProps & { readonly turn: ThreadTurn }): JSX.Element {
  const { facts, steps } = turn;
  const warning = warnOf(steps);
  return (
    <footer>
      {warning === undefined ? null : (
        <button type="button" class="warning" onClick={() => actions.showReceipt(message.id)}>
          ⚠ {warning}
        </button>
      )}
      <div class="told">
        <Branches branching={branching} onGo={actions.goTo} what="answer" />
        <span class="by">
          {[
            ...[modelsOf(turn).join(" → ")].filter(Boolean),
            ...(facts.level === undefined ? [] : [facts.level]),
            ...[describeSpent(turn) ?? []].flat(),
          ].join(" · ")}
        </span>
        {/* An imported answer has none. */}
        {steps.length === 0 ? null : (
          <ActionButton
            label="Receipt"
            icon="receipt"
            onClick={() => actions.showReceipt(message.id)}
          >
            Receipt
          </ActionButton>
        )}
        <div class="actions">
          <CopyButton text={() => textOf(message)} label="Copy answer" caption="Copy" />
          <ActionButton label="Retry" icon="retry" onClick={() => actions.retry(message.id)}>
            Retry
          </ActionButton>
          <ActionButton
            label="Retry with another model"
            icon="retry-with"
            onClick={() => actions.retryWith(message.id)}
          >
            Retry with
          </ActionButton>
          <ForkButton messageId={message.id} actions={actions} />
        </div>
      </div>
    </footer>
  );
}
