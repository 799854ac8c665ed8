import type { Level, Model } from "mull";
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { listStops } from "./stops.ts";
import { turnDial } from "./turn-dial.ts";

export interface DialProps {
  readonly model: Model;
  readonly level: Level;
  readonly onLevel: (level: Level) => void;
}

const steps: ReadonlyMap<string, number> = new Map([
  ["ArrowLeft", -1],
  ["ArrowDown", -1],
  ["ArrowRight", 1],
  ["ArrowUp", 1],
]);

/** Seven stops as a group of radio buttons. A hollow stop says where it leads. */
export function Dial({ model, level, onLevel }: DialProps): JSX.Element {
  const stops = useMemo(() => listStops(model), [model]);
  const group = useRef<HTMLDivElement>(null);
  const names = stops.map((stop) => stop.level);
  const move = (event: JSX.TargetedKeyboardEvent<HTMLElement>): void => {
    const by = steps.get(event.key);
    if (by === undefined || event.altKey || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    const next = turnDial(names, level, by);
    onLevel(next);
    group.current?.querySelector<HTMLElement>(`[data-level="${next}"]`)?.focus();
  };
  return (
    <div class="dial" role="radiogroup" aria-label="Thinking" ref={group} onKeyDown={move}>
      {stops.map((stop) => (
        <button
          key={stop.level}
          type="button"
          role="radio"
          aria-checked={stop.level === level}
          aria-label={stop.isHonoured ? stop.level : stop.leads}
          title={stop.leads}
          tabIndex={stop.level === level ? 0 : -1}
          data-level={stop.level}
          class={stop.isHonoured ? "stop" : "stop hollow"}
          onClick={() => onLevel(stop.level)}
        >
          <span class="knob" aria-hidden="true" />
          <span class="word" aria-hidden="true">
            {stop.level}
          </span>
        </button>
      ))}
    </div>
  );
}
