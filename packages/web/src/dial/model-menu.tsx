import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Dialog } from "../parts/dialog.tsx";
import {
  groupModels,
  shortName,
  type ModelGroup,
  type ModelRow,
  type OfferedModel,
} from "./list-models.ts";

export interface ModelMenuProps {
  readonly offered: readonly OfferedModel[];
  readonly chosen: string;
  readonly title?: string;
  readonly onChoose: (ref: string) => void;
  readonly onClose: () => void;
}

/** Search, vendor groups, price and window. The arrow keys walk the list while typing goes on. */
export function ModelMenu(props: ModelMenuProps): JSX.Element {
  const { offered, chosen, title = "Choose a model", onChoose, onClose } = props;
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(chosen);
  const list = useRef<HTMLDivElement>(null);
  const groups = useMemo(() => groupModels(offered, typed), [offered, typed]);
  const rows = groups.flatMap((group) => group.rows);
  const active = rows.find((row) => row.ref === at) ?? rows[0];
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [active?.ref]);
  const choose = (row: ModelRow | undefined): void => {
    if (row === undefined) return;
    onChoose(row.ref);
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Enter") {
      event.preventDefault();
      choose(active);
    }
    if (by === 0) return;
    event.preventDefault();
    const index = rows.findIndex((row) => row.ref === active?.ref) + by;
    setAt(rows[Math.min(rows.length - 1, Math.max(0, index))]?.ref ?? at);
  };
  return (
    <Dialog title={title} class="model-menu" onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label="Search models"
        aria-expanded="true"
        aria-controls="models"
        aria-activedescendant={active === undefined ? undefined : idOf(active.ref)}
        placeholder="Search models"
        value={typed}
        autoFocus
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <p class="hint">Prices are for a million tokens.</p>
      <div id="models" class="models" role="listbox" aria-label="Models" ref={list} tabIndex={-1}>
        {groups.map((group) => (
          <div key={group.vendor} role="group" aria-label={titleOf(group)}>
            <h3 aria-hidden="true">{titleOf(group)}</h3>
            {group.rows.map((row) => (
              <div
                key={row.ref}
                id={idOf(row.ref)}
                role="option"
                aria-selected={row.ref === active?.ref}
                class={rowClass(row, chosen)}
                onClick={() => choose(row)}
              >
                <span class="name">{shortName(row.ref)}</span>
                <span class="facts">{row.facts.join(" · ")}</span>
              </div>
            ))}
          </div>
        ))}
        {rows.length === 0 ? <p class="nothing">No model of that name.</p> : null}
      </div>
    </Dialog>
  );
}

const titleOf = ({ vendor, remark }: ModelGroup): string =>
  remark === undefined ? vendor : `${vendor} · ${remark}`;

const idOf = (ref: string): string => `model-${ref.replaceAll(/[^\w-]/g, "-")}`;

const rowClass = (row: ModelRow, chosen: string): string =>
  ["model", ...(row.isUsable ? [] : ["faint"]), ...(row.ref === chosen ? ["chosen"] : [])].join(
    " ",
  );
