import type { JSX } from "preact";
import type { Branching } from "../api.ts";

export interface BranchesProps {
  readonly branching: Branching | undefined;
  readonly onGo: (head: string) => void;
  readonly what: string;
}

/** `‹ 2/3 ›` */
export function Branches({ branching, onGo, what }: BranchesProps): JSX.Element | null {
  if (branching === undefined) return null;
  const { heads, position } = branching;
  const button = (by: number, label: string, sign: string): JSX.Element => {
    const head = heads[position + by];
    return (
      <button
        type="button"
        class="icon"
        aria-label={`${label} ${what}`}
        disabled={head === undefined}
        onClick={() => (head === undefined ? undefined : onGo(head))}
      >
        {sign}
      </button>
    );
  };
  return (
    <span class="branches" role="group" aria-label={`Versions of this ${what}`}>
      {button(-1, "Earlier", "‹")}
      <span>
        {position + 1}/{heads.length}
      </span>
      {button(1, "Later", "›")}
    </span>
  );
}
