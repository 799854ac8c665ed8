import { plural } from "mull/wire";
import type { JSX } from "preact";
import { formatCount } from "../format.ts";
import type { ThreadFinding } from "../state/app-state.ts";

/** In a message: the place of what cannot be read. */
export function Unreadable({
  problems,
}: {
  readonly problems: readonly ThreadFinding[];
}): JSX.Element | null {
  if (problems.length === 0) return null;
  return (
    <p class="end unreadable">
      <span>⚠ {plural(problems.length, "piece")} of this message cannot be read.</span>
      {problems.map(({ path, message }) => (
        <span key={`${path} ${message}`} dir="auto">
          {message}
        </span>
      ))}
    </p>
  );
}

export interface ProblemsProps {
  readonly problems: readonly ThreadFinding[];
  readonly rawAddress: string | undefined;
  /** Goes on in a copy that holds what can be read. */
  readonly onCopy: () => void;
}

const mostShown = 10;

/** Above a conversation: what is stored and cannot be read, and what there is to do about it. */
export function Problems({ problems, rawAddress, onCopy }: ProblemsProps): JSX.Element | null {
  if (problems.length === 0) return null;
  const rest = problems.length - mostShown;
  return (
    <section class="failure" role="status" aria-label="What cannot be read">
      <p class="what">
        <strong>Some of this conversation can't be read. Nothing is lost.</strong>
      </p>
      <ul>
        {problems.slice(0, mostShown).map(({ rule, path, message }) => (
          <li key={`${path} ${message}`} dir="auto">
            <code>{path ?? rule}</code> {message}
          </li>
        ))}
        {rest > 0 ? <li>and {formatCount(rest)} more</li> : null}
      </ul>
      <p>Continue: what cannot be read stays stored and is not sent.</p>
      <div class="buttons">
        <button type="button" onClick={onCopy}>
          Continue in a copy
        </button>
        {rawAddress === undefined ? null : (
          <a class="button" href={rawAddress} download>
            Download as stored
          </a>
        )}
      </div>
    </section>
  );
}
