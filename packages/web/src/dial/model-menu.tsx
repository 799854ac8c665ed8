import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Dialog } from "../parts/dialog.tsx";
import {
  menuGroups,
  shortName,
  type FirstModels,
  type ModelGroup,
  type ModelRow,
  type OfferedModel,
} from "./list-models.ts";

export interface ModelMenuProps {
  readonly offered: readonly OfferedModel[];
  readonly chosen: string;
  readonly first: FirstModels;
  readonly title?: string;
  readonly onChoose: (ref: string) => void;
  readonly onClose: () => void;
}

/** A model may be in the menu twice: among the recent ones, and under its vendor. */
interface MenuRow extends ModelRow {
  readonly id: string;
}

const withIds = (groups: readonly ModelGroup[]): readonly MenuRow[] =>
  groups.flatMap(({ vendor, rows }) => rows.map((row) => ({ ...row, id: idOf(vendor, row) })));

/** Search, recent and recommended models, vendor groups, price and window. The arrow keys walk the list while typing goes on. */
export function ModelMenu(props: ModelMenuProps): JSX.Element {
  const { offered, chosen, first, title = "Choose a model", onChoose, onClose } = props;
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const groups = useMemo(() => menuGroups(offered, typed, first), [offered, typed, first]);
  const rows = useMemo(() => withIds(groups), [groups]);
  const active =
    rows.find(({ id }) => id === at) ?? rows.find(({ ref }) => ref === chosen) ?? rows[0];
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [active?.id]);
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
    const index = rows.findIndex(({ id }) => id === active?.id) + by;
    setAt(rows[Math.min(rows.length - 1, Math.max(0, index))]?.id);
  };
  return (
    <Dialog title={title} class="model-menu" onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label="Search models"
        aria-expanded="true"
        aria-controls="models"
        aria-activedescendant={active?.id}
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
            {group.rows.map((row) => {
              const id = idOf(group.vendor, row);
              return (
                <div
                  key={id}
                  id={id}
                  role="option"
                  aria-selected={id === active?.id}
                  class={rowClass(row, chosen)}
                  onClick={() => choose(row)}
                >
                  <span class="name">{shortName(row.ref)}</span>
                  <span class="facts">{row.facts.join(" · ")}</span>
                </div>
              );
            })}
          </div>
        ))}
        {rows.length === 0 ? <p class="nothing">No model with that name.</p> : null}
      </div>
    </Dialog>
  );
}

const titleOf = ({ vendor, remark }: ModelGroup): string =>
  remark === undefined ? vendor : `${vendor} · ${remark}`;

const idOf = (group: string, { ref }: ModelRow): string =>
  `model-${group}-${ref}`.replaceAll(/[^\w-]/g, "-");

const rowClass = (row: ModelRow, chosen: string): string =>
  ["model", ...(row.isUsable ? [] : ["faint"]), ...(row.ref === chosen ? ["chosen"] : [])].join(
    " ",
  );
