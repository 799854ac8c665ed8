import type { JSX } from "preact";

export interface EmptyStateProps {
  readonly isSimulated: boolean;
  readonly onAsk: (text: string) => void;
}

/** One needs a tool, one is worth trying at several levels. */
const questions = [
  "What is 23 * 47?",
  "okay - what's going on in the markets today?",
  "Which primes lie between 80 and 120? Try it at none and at max.",
] as const;

export function EmptyState({ isSimulated, onAsk }: EmptyStateProps): JSX.Element {
  return (
    <div class="empty">
      <h2>One thinking dial for every model</h2>
      <p>Turn it, see what it will send, ask, and read the receipt.</p>
      {isSimulated ? (
        <p class="badge">simulated: answers come from the built-in emulator, by rule</p>
      ) : null}
      <ul>
        {questions.map((question) => (
          <li key={question}>
            <button type="button" onClick={() => onAsk(question)}>
              {question}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
