import type { Model } from "mull";
import type { Branching } from "../api.ts";
import type { UIMessage } from "@mull/ui-messages";
import type { ComponentChildren, JSX } from "preact";
import { Markdown } from "../markdown/markdown.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Icon } from "../parts/icon.tsx";
import { memo } from "../preact-memo.ts";
import { describeSpent } from "../receipt/describe-spent.ts";
import { warnOf } from "../receipt/receipt-rows.ts";
import type { ThinkingPreference } from "../state/preferences.ts";
import { Thinking } from "../thinking/thinking-block.tsx";
import { ToolBlock } from "../tools/tool-block.tsx";
import {
  isForeign,
  modelsOf,
  readTurn,
  textOf,
  type TurnBlock,
  type ThreadTurn,
} from "./read-turn.ts";
import { Branches } from "./branches.tsx";
import { FileView } from "./file-view.tsx";
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
      {turn.blocks.map((block, index) => (
        <BlockView key={index} block={block} turn={turn} isFirst={index === 0} {...props} />
      ))}
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

/** A block that was cut has a start; its end is the turn's. */
function withDuration(
  about: ThinkingAbout,
  { facts }: ThreadTurn,
  isFirst: boolean,
): ThinkingAbout {
  const start = about.startedAt ?? (isFirst ? facts.startedAt : undefined);
  if (!about.cut || about.durationMs !== undefined) return about;
  if (start === undefined || facts.endedAt === undefined) return about;
  return { ...about, durationMs: Math.max(0, facts.endedAt - start) };
}

type ThinkingAbout = Extract<TurnBlock, { kind: "thinking" }>["about"];

interface BlockViewProps extends AnswerProps {
  readonly block: TurnBlock;
  readonly turn: ThreadTurn;
  readonly isFirst: boolean;
}

function BlockView({
  block,
  turn,
  isFirst,
  isLive,
  chosen,
  preference,
}: BlockViewProps): ComponentChildren {
  switch (block.kind) {
    case "thinking":
      return (
        <Thinking
          text={block.text}
          isStreaming={block.isStreaming && isLive}
          about={withDuration(block.about, turn, isFirst)}
          usage={block.isOnly ? block.step?.usage : undefined}
          receipt={block.step?.receipt}
          withheldFrom={isForeign(block.about.seal, chosen) ? chosen.id : undefined}
          preference={preference}
          startedAt={block.about.startedAt ?? (isFirst ? turn.facts.startedAt : undefined)}
        />
      );
    case "text":
      return (
        <div class={block.isRefusal ? "text refusal" : "text"}>
          <Markdown text={block.text} />
        </div>
      );
    case "tool":
      return <ToolBlock part={block.part} isLive={isLive} />;
    case "unreadable":
      return <Unreadable problems={block.problems} />;
    case "file":
      return <FileView file={block.file} />;
    default:
      return block satisfies never;
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
      <div class="actions">
        <Branches branching={branching} onGo={actions.goTo} what="answer" />
        <CopyButton text={() => textOf(message)} label="Copy answer" />
        <IconButton label="Retry" icon="retry" onClick={() => actions.retry(message.id)} />
        <IconButton
          label="Retry with another model"
          icon="retry-with"
          onClick={() => actions.retryWith(message.id)}
        />
        <IconButton
          label="Fork from here"
          icon="fork"
          onClick={() => actions.fork({ messageId: message.id })}
        />
        <IconButton
          label="Receipt"
          icon="receipt"
          onClick={() => actions.showReceipt(message.id)}
        />
        <span class="by">
          {[
            ...[modelsOf(turn).join(" → ")].filter(Boolean),
            ...(facts.level === undefined ? [] : [facts.level]),
            ...[describeSpent(turn) ?? []].flat(),
          ].join(" · ")}
        </span>
      </div>
    </footer>
  );
}

interface IconButtonProps {
  readonly label: string;
  readonly icon: Parameters<typeof Icon>[0]["name"];
  readonly onClick: () => void;
}

const IconButton = ({ label, icon, onClick }: IconButtonProps): JSX.Element => (
  <button type="button" class="icon" aria-label={label} title={label} onClick={onClick}>
    <Icon name={icon} />
  </button>
);
