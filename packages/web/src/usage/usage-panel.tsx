import type { Model } from "mull";
import type { UIMessage } from "@mull/ui-messages";
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { formatCost, formatCount } from "../format.ts";
import { figures, writeFigure } from "./describe-figures.ts";
import { goToAnswer } from "./go-to-answer.ts";
import { readAnswers, shareOf } from "./read-answers.ts";
import { readContext, type Around, type ContextFill } from "./read-context.ts";
import { spendingGroups, sumSpending, type SpendingGroup, type SpendingRow } from "./spending.ts";
import { writePercent } from "./write-percent.ts";
import "../style/usage.css";

export interface UsagePanelProps {
  readonly messages: readonly UIMessage[];
  readonly model: Model;
  readonly around: Around;
  /** What the last 30 days took, by day, model and level. */
  readonly loadSpending: () => Promise<readonly SpendingRow[]>;
  /** Called before an answer is shown: on a small screen this lies over it. */
  readonly onGo: () => void;
}

/** What fills the context, what each answer took, and what all of them cost. */
export function UsagePanel(props: UsagePanelProps): JSX.Element {
  const { messages, model, around } = props;
  const fill = useMemo(
    () => readContext(messages, model, around),
    [messages, model, around.instructions, around.system],
  );
  return (
    <div class="usage">
      <Context fill={fill} />
      <Answers {...props} />
      <Spending load={props.loadSpending} />
    </div>
  );
}

const Bar = ({
  share,
  kind = "",
}: {
  readonly share: number;
  readonly kind?: string;
}): JSX.Element => (
  <span class={`bar ${kind}`} style={{ "--share": String(share) }} aria-hidden="true" />
);

function Context({ fill }: { readonly fill: ContextFill | undefined }): JSX.Element {
  if (fill === undefined) {
    return (
      <section>
        <h3>Context</h3>
        <p class="hint">Its size is not known for this model.</p>
      </section>
    );
  }
  const { used, window, parts } = fill;
  return (
    <section>
      <h3>Context</h3>
      <p>
        {formatCount(used)} of {formatCount(window)} tokens · {writePercent(used / window)}
      </p>
      <div class="track">
        <Bar share={Math.min(1, used / window)} />
      </div>
      <table class="fill">
        <caption>What fills it, by estimate</caption>
        <tbody>
          {parts.map(({ name, tokens }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                {formatCount(tokens)}
                <Bar share={used === 0 ? 0 : tokens / used} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Answers({ messages, onGo }: UsagePanelProps): JSX.Element | null {
  const answers = useMemo(() => readAnswers(messages), [messages]);
  if (answers.length === 0) return null;
  const shares = figures.map((figure) => ({ ...figure, share: shareOf(answers, figure.key) }));
  return (
    <section>
      <h3>Answers</h3>
      <table>
        <caption>Thinking tokens, time and cost of each</caption>
        <thead>
          <tr>
            <th scope="col">answer</th>
            {figures.map(({ key, name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {answers.map((answer) => (
            <tr key={answer.messageId}>
              <th scope="row">
                <button
                  type="button"
                  class="plain"
                  aria-label={`Go to answer ${answer.nth}`}
                  title={answer.by}
                  onClick={() => {
                    onGo();
                    void goToAnswer(document, answer.messageId);
                  }}
                >
                  {answer.nth}
                </button>
              </th>
              {shares.map((figure) => (
                <td key={figure.key}>
                  {writeFigure(answer, figure)}
                  <Bar share={figure.share(answer)} kind={figure.key} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Spending({ load }: { readonly load: UsagePanelProps["loadSpending"] }): JSX.Element {
  const [rows, setRows] = useState<readonly SpendingRow[] | "failed">();
  const [group, setGroup] = useState<SpendingGroup>("day");
  useEffect(() => {
    load().then(setRows, () => setRows("failed"));
  }, []);
  return (
    <section>
      <h3>Your last 30 days</h3>
      {rows === undefined ? <p role="status">Adding up…</p> : null}
      {rows === "failed" ? (
        <p role="status">The server didn't answer. Close this and open it again.</p>
      ) : null}
      {Array.isArray(rows) ? (
        <>
          <div class="buttons" role="group" aria-label="Add up by">
            {spendingGroups.map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={each === group}
                onClick={() => setGroup(each)}
              >
                by {each}
              </button>
            ))}
          </div>
          <SpendingTable rows={rows} group={group} />
        </>
      ) : null}
    </section>
  );
}

function SpendingTable({
  rows,
  group,
}: {
  readonly rows: readonly SpendingRow[];
  readonly group: SpendingGroup;
}): JSX.Element {
  const sums = sumSpending(rows, group);
  const largest = Math.max(0, ...sums.map(({ cost }) => cost));
  const total = sums.reduce((all, { cost }) => all + cost, 0);
  if (sums.length === 0) return <p class="hint">You haven't asked anything yet.</p>;
  return (
    <table class="spent">
      <caption>{formatCost(total)} together, at list prices</caption>
      <thead>
        <tr>
          <th scope="col">{group}</th>
          <th scope="col">answers</th>
          <th scope="col">thinking</th>
          <th scope="col">cost</th>
        </tr>
      </thead>
      <tbody>
        {sums.map(({ name, turns, thinking, cost }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{formatCount(turns)}</td>
            <td>{formatCount(thinking)}</td>
            <td>
              {formatCost(cost)}
              <Bar share={largest === 0 ? 0 : cost / largest} kind="cost" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
