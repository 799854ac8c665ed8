import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { CallVerdict } from "../api.ts";
import { toolName, type UIToolPart } from "./describe-tool.ts";

export interface ApprovalProps {
  /** The calls that wait, and those that were decided while others wait. */
  readonly parts: readonly UIToolPart[];
  readonly onDecide: (verdict: CallVerdict) => Promise<void>;
}

/** Asks about each call that waits. */
export const Approval = ({ parts, onDecide }: ApprovalProps): JSX.Element => (
  <>
    {parts.map((part) =>
      part.state === "approval-requested" ? (
        <Question key={part.toolCallId} part={part} onDecide={onDecide} />
      ) : (
        <p key={part.toolCallId} class="decided">
          <code>{toolName(part)}</code> {part.approval?.approved ? "will run" : "won't run"} once
          you have decided about the rest.
        </p>
      ),
    )}
  </>
);

function Question({
  part,
  onDecide,
}: {
  readonly part: UIToolPart;
  readonly onDecide: ApprovalProps["onDecide"];
}): JSX.Element {
  const [reason, setReason] = useState("");
  const [isSent, setSent] = useState(false);
  const decide = (verdict: CallVerdict): void => {
    setSent(true);
    // If the server refuses, the question can be answered again.
    void onDecide(verdict).finally(() => setSent(false));
  };
  const name = toolName(part);
  const callId = part.toolCallId;
  return (
    <form
      class="approval"
      aria-label={`May ${name} run?`}
      onSubmit={(event) => {
        event.preventDefault();
        decide({ callId, run: false, ...(reason.trim() !== "" && { reason }) });
      }}
    >
      <p>
        May <code>{name}</code> run?
      </p>
      <pre tabIndex={0} dir="auto">
        {JSON.stringify(part.input, undefined, 2)}
      </pre>
      <div class="buttons">
        {/* By its label the keyboard finds the same button of the next call. */}
        <button
          type="button"
          aria-label="Yes, run it"
          disabled={isSent}
          onClick={() => decide({ callId, run: true })}
        >
          Yes, run it
        </button>
        <button type="submit" aria-label="No" disabled={isSent}>
          No
        </button>
        <input
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
          placeholder="Why not? The model is told."
          aria-label="Why not"
          maxLength={2000}
        />
      </div>
    </form>
  );
}
