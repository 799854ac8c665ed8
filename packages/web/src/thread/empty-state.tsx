import type { JSX } from "preact";

export interface EmptyStateProps {
  readonly onAsk: (text: string) => void;
}

const questions = [
  { text: "What is 23 * 47?", hint: "thinks a little" },
  { text: "okay - what's going on in the markets today?", hint: "searches the web" },
  { text: "Which primes lie between 80 and 120?", hint: "ask at none, then at max" },
] as const;

export function EmptyState({ onAsk }: EmptyStateProps): JSX.Element {
  return (
    <div class="empty">
      <h2>One thinking dial for every model</h2>
      <p>Turn it, see what it will send, ask, and read the receipt.</p>
      <ul>
        {questions.map(({ text, hint }) => (
          <li key={text}>
            <button type="button" onClick={() => onAsk(text)}>
              {text} <span class="hint">{hint}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
