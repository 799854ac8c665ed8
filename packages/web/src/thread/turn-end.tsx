import { findModel, providerName, type ThinkingPlan } from "mull";
import type { UIMessage } from "@mull/ui-messages";
import type { ComponentChildren, JSX } from "preact";
import { formatCount } from "../format.ts";
import { RetryButton } from "../parts/retry-button.tsx";
import { describeEmptyStop } from "../receipt/describe-spent.ts";
import { Approval } from "../tools/approval.tsx";
import type { ThreadTurn, TurnError } from "./read-turn.ts";
import type { TurnActions } from "./turn-actions.ts";

export interface TurnEndProps {
  readonly turn: ThreadTurn;
  readonly message: UIMessage;
  readonly isLast: boolean;
  readonly actions: TurnActions;
}

/** Why an answer is not a whole one, and what to do about it. */
export function TurnEnd(props: TurnEndProps): ComponentChildren {
  const { turn } = props;
  const { facts } = turn;
  const asked = turn.blocks.flatMap((block) =>
    block.kind === "tool" && block.part.state.startsWith("approval-") ? [block.part] : [],
  );
  // A turn that failed after the decision has its calls wait again.
  if (asked.some(({ state }) => state === "approval-requested")) {
    return (
      <>
        {facts.state === "failed" ? <Failure error={facts.error ?? {}} {...props} /> : null}
        <Approval parts={asked} onDecide={props.actions.decide} />
      </>
    );
  }
  if (facts.state === "failed") return <Failure error={facts.error ?? {}} {...props} />;
  // What has something in it has its buttons below.
  const isEmpty = turn.blocks.length === 0;
  if (facts.state === "stopped") {
    return isEmpty ? (
      <AnswerAgain why={describeEmptyStop(turn)} {...props} />
    ) : (
      <p class="end">Stopped. The partial answer is kept here but won't be sent to the model.</p>
    );
  }
  if (facts.state === "interrupted") {
    const why = "The server went away in the middle of this answer. The partial answer is kept.";
    return <AnswerAgain why={why} {...props} />;
  }
  const hasText = turn.blocks.some((block) => block.kind === "text");
  if (facts.finish?.reason === "length") return <CutByLimit hasText={hasText} {...props} />;
  if (facts.finish?.reason === "max-steps") {
    return <p class="end">This turn has used all its steps. Ask the model to continue.</p>;
  }
  if (facts.finish?.reason === "budget") {
    return <p class="end">{facts.finish.note ?? "Ended: your spending limit is reached."}</p>;
  }
  if (facts.finish?.reason === "approval") {
    return <p class="end">You asked something else instead, so the call was not run.</p>;
  }
  if (facts.state !== "done" || hasText) return null;
  const why = "The model ended without an answer.";
  return isEmpty ? <AnswerAgain why={why} {...props} /> : <p class="end">{why}</p>;
}

const AnswerAgain = ({
  why,
  message,
  actions,
}: TurnEndProps & { readonly why: string }): JSX.Element => (
  <div class="end">
    <p>{why}</p>
    <button type="button" onClick={() => actions.retry(message.id)}>
      Answer again
    </button>
  </div>
);

function CutByLimit({
  turn,
  message,
  hasText,
  actions,
}: TurnEndProps & { readonly hasText: boolean }): JSX.Element {
  const plan = turn.steps.at(-1)?.receipt.plan;
  const room = plan?.maxOutputTokens;
  const more = plan === undefined ? undefined : moreRoom(plan);
  const limit =
    room === undefined ? "the output limit" : `the limit of ${formatCount(room)} tokens`;
  const thought = turn.steps.at(-1)?.usage.thinking;
  const why = hasText
    ? `The answer was cut by ${limit}.`
    : `No answer: thinking took ${thought === undefined ? "all" : `${formatCount(thought)} tokens`} of ${limit}.`;
  return (
    <div class="end" role="status">
      <p>{why}</p>
      {more === undefined ? null : (
        <button type="button" onClick={() => actions.retry(message.id, { room: more })}>
          Retry with room for {formatCount(more)}
        </button>
      )}
      <button type="button" onClick={() => actions.retry(message.id, { level: "lower" })}>
        Retry at a lower level
      </button>
      <button type="button" onClick={() => actions.retryWith(message.id)}>
        Retry with…
      </button>
    </div>
  );
}

/** Twice the room for the answer, as far as the model goes. */
function moreRoom({ model, answerRoom, thinkingRoom }: ThinkingPlan): number | undefined {
  if (answerRoom === undefined) return undefined;
  const { outputCap = Infinity } = findModel(model);
  const more = Math.min(answerRoom * 2, outputCap - (thinkingRoom ?? 0));
  return more > answerRoom ? more : undefined;
}

/** Refusals of what was sent, not of who sent it or how much. */
const isFixable = ({ category, rule }: TurnError): boolean =>
  category === "invalid_argument" || (rule !== undefined && category !== "context_overflow");

function Failure({
  error,
  turn,
  message,
  isLast,
  actions,
}: TurnEndProps & { readonly error: TurnError }): JSX.Element {
  return (
    <div class="failure">
      <p class="what">
        <strong>{titleOf(error)}</strong>
        {error.requestId === undefined ? null : (
          <>
            {" "}
            <code>{error.requestId}</code>
          </>
        )}
      </p>
      <p dir="auto">{error.message ?? "The turn failed."}</p>
      {error.rule === undefined ? null : (
        <p>
          rule <code>{error.rule}</code>
        </p>
      )}
      {error.fix === undefined ? null : <p dir="auto">fix: {error.fix}</p>}
      {isLast ? (
        <div class="buttons">
          {isFixable(error) ? (
            <button
              type="button"
              title="Repairs what was refused; the receipt says what was changed"
              onClick={() => actions.retry(message.id, { fix: true })}
            >
              Fix and retry
            </button>
          ) : null}
          {isKeyTrouble(error) ? (
            <button type="button" class="main" onClick={actions.openKeys}>
              Set the key
            </button>
          ) : null}
          <RetryButton until={untilOf(error, turn)} onRetry={() => actions.retry(message.id)} />
          <button type="button" onClick={() => actions.retryWith(message.id)}>
            Retry with…
          </button>
          <button
            type="button"
            onClick={() =>
              actions.inspect({ answerId: message.id, step: Math.max(1, turn.steps.length) })
            }
          >
            Inspect
          </button>
        </div>
      ) : null}
    </div>
  );
}

/** The key is missing, wrong, or may not do this. */
const isKeyTrouble = ({ category }: TurnError): boolean =>
  category === "auth" || category === "permission";

/** When it may be asked again: a page that is reloaded meanwhile does not count from the start. */
function untilOf({ retryAfterMs }: TurnError, { facts }: ThreadTurn): number | undefined {
  if (retryAfterMs === undefined) return undefined;
  // The server's clock may be ahead of this one.
  return Math.min(facts.endedAt ?? Infinity, Date.now()) + retryAfterMs;
}

const titles: ReadonlyMap<string, string> = new Map([
  ["auth", "The key was refused"],
  ["permission", "Not allowed"],
  ["rate_limit", "Too many requests"],
  ["quota", "Out of quota"],
  ["invalid_argument", "The request was refused"],
  ["context_overflow", "The conversation is too long for this model"],
  ["content_filter", "Stopped by the content filter"],
  ["overloaded", "The service is overloaded"],
  ["timeout", "The service took too long"],
  ["network", "No connection to the service"],
  ["protocol", "The answer broke off"],
]);

const titleOf = ({ category, provider }: TurnError): string => {
  const title = titles.get(category ?? "") ?? "The turn failed";
  return provider === undefined ? title : `${title} · ${providerName(provider)}`;
};
