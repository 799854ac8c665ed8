import type { UIMessage } from "@mull/ui-messages";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { describeFigures, figures } from "./describe-figures.ts";
import { goToAnswer } from "./go-to-answer.ts";
import { readAnswers, shareOf } from "./read-answers.ts";
import "../style/usage.css";

/** Thinking, time and cost of every answer beside the conversation; not if there is nothing to compare. */
export function AnswerStrip({
  messages,
}: {
  readonly messages: readonly UIMessage[];
}): JSX.Element | null {
  const answers = useMemo(() => readAnswers(messages), [messages]);
  const isKnown = answers.some((answer) => figures.some(({ key }) => answer[key] !== undefined));
  if (answers.length < 2 || !isKnown) return null;
  const shares = figures.map((figure) => ({ ...figure, share: shareOf(answers, figure.key) }));
  return (
    <nav class="strip" aria-label="Answers by thinking, time and cost">
      <p aria-hidden="true">
        {figures.map(({ key, name }) => (
          <span key={key} class={`key ${key}`}>
            {name}
          </span>
        ))}
      </p>
      <ol>
        {answers.map((answer) => (
          <li key={answer.messageId}>
            <button
              type="button"
              aria-label={`Go to answer ${answer.nth}: ${describeFigures(answer)}`}
              title={describeFigures(answer)}
              onClick={() => void goToAnswer(document, answer.messageId)}
            >
              {shares.map(({ key, share }) => (
                <span key={key} class={`bar ${key}`} style={{ "--share": String(share(answer)) }} />
              ))}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
