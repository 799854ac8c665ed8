import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { CallVerdict } from "../api.ts";
import { describeTool, type UIToolPart } from "./describe-tool.ts";

export interface ApprovalProps {
  /** The calls that wait. */
  readonly parts: readonly UIToolPart[];
  readonly onDecide: (verdicts: readonly CallVerdict[]) => Promise<void>;
}

/** Asks about each call that waits; what was said goes out when the last one is decided. */
export function Approval({ parts, onDecide }: ApprovalProps): JSX.Element {
  const [said, setSaid] = useState<readonly CallVerdict[]>([]);
  const open = parts.filter(({ toolCallId: id }) => !said.some(({ callId }) => callId === id));
  const decide = (verdict: CallVerdict): void => {
    const all = [...said, verdict];
    setSaid(all);
    // Where the server refuses it, the questions come back.
    if (all.length === parts.length) void onDecide(all).finally(() => setSaid([]));
  };
  return (
    <>
      {open.map((part) => (
        <Question key={part.toolCallId} part={part} onDecide={decide} />
      ))}
    </>
  );
}

function Question({
  part,
  onDecide,
}: {
  readonly part: UIToolPart;
  readonly onDecide: (verdict: CallVerdict) => void;
}): JSX.Element {
  const [reason, setReason] = useState("");
  const { name } = describeTool(part, false);
  const callId = part.toolCallId;
  return (
    <form
      class="approval"
      aria-label={`May ${name} run?`}
      onSubmit={(event) => {
        event.preventDefault();
        onDecide({ callId, run: false, ...(reason.trim() !== "" && { reason }) });
      }}
    >
      <p>
        May <code>{name}</code> run?
      </p>
      <pre tabIndex={0} dir="auto">
        {JSON.stringify(part.input, undefined, 2)}
      </pre>
      <div class="buttons">
        <button type="button" onClick={() => onDecide({ callId, run: true })}>
          Yes, run it
        </button>
        <button type="submit">No</button>
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
