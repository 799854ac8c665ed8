import { plural } from "mull/wire";
import type { UIMessage } from "@mull/ui-messages";
import type { ComponentChildren, JSX } from "preact";
import { CopyButton } from "../parts/copy-button.tsx";
import { modelsOf, readTurn } from "../thread/read-turn.ts";
import { describeSpent } from "./describe-spent.ts";
import { listRows } from "./receipt-rows.ts";
import type { StepReceipt } from "./step-receipt.ts";

export interface ReceiptPanelProps {
  readonly message: UIMessage;
  /** The page does not say so already. */
  readonly marksSimulated: boolean;
  /** Shows the request of a step, counted from 1. */
  readonly onInspect: (step: number) => void;
}

/** What was asked, applied, sent, shown, withheld and repaired: step by step. */
export function ReceiptPanel({
  message,
  marksSimulated,
  onInspect,
}: ReceiptPanelProps): JSX.Element {
  const turn = readTurn(message);
  const { steps, facts } = turn;
  return (
    <div class="receipt">
      <p class="by">
        {[
          modelsOf(turn).join(" → ") || "unknown model",
          ...(steps.length > 1 ? [plural(steps.length, "step")] : []),
          ...[describeSpent(turn) ?? []].flat(),
          ...(marksSimulated && facts.isSimulated ? ["simulated"] : []),
        ].join(" · ")}
      </p>
      {steps.length === 0 ? <p>No receipt was kept for this answer.</p> : null}
      {steps.map((step, index) => (
        <StepRows
          key={index}
          step={step}
          title={steps.length === 1 ? undefined : `Step ${index + 1} · ${step.receipt.plan.model}`}
          onInspect={() => onInspect(index + 1)}
        />
      ))}
    </div>
  );
}

function StepRows({
  step,
  title,
  onInspect,
}: {
  readonly step: StepReceipt;
  readonly title: string | undefined;
  readonly onInspect: () => void;
}): JSX.Element {
  return (
    <section>
      {title === undefined ? null : <h3>{title}</h3>}
      <dl>
        {listRows(step).map((row, index) => (
          <div key={index}>
            <dt>{row.name}</dt>
            <dd>{row.isCode ? <Code text={row.value} /> : row.value}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="plain" onClick={onInspect}>
        Inspect this request…
      </button>
    </section>
  );
}

const Code = ({ text }: { readonly text: string }): ComponentChildren => (
  <div class="code-value">
    <pre tabIndex={0}>{text}</pre>
    <CopyButton text={text} label="Copy" />
  </div>
);
