import type { Look } from "./look.ts";
import { cutTo, type Widths } from "./rows.ts";
import type { Stroke, Terminal } from "./terminal.ts";
import { toOneLine, toTerminal } from "./to-terminal.ts";

/** One row of a picker. */
export interface PickChoice {
  readonly value: string;
  readonly label: string;
  readonly help: string;
  /** Rows of one group stand together under its name, unless a search cuts across them. */
  readonly group?: string;
  /** Possible, but not usable now. */
  readonly isDim?: boolean;
}

/** What a picker offers. */
export interface PickList {
  readonly title: string;
  readonly choices: readonly PickChoice[];
  /** The value the cursor starts on. */
  readonly current?: string;
  /** What Enter does with a search that finds nothing, e.g. `asks for a model of this name`. */
  readonly typed?: string;
}

/** A list or a text that has the screen for itself until it is closed. */
export interface Overlay {
  readonly take: (stroke: Stroke) => void;
  readonly repaint: () => void;
}

export interface PickerOptions extends PickList {
  readonly terminal: Pick<Terminal, "write" | "size">;
  readonly look: Look;
  readonly widths: Widths;
  /** Called once, with nothing if the person chose nothing. */
  readonly onClose: (value: string | undefined) => void;
}

const enter = "\u001b[?1049h\u001b[H";
const leave = "\u001b[?1049l";

/** Every word must be found; what begins with the search comes first. */
function searchChoices(choices: readonly PickChoice[], search: string): readonly PickChoice[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return choices;
  const found = choices.filter(({ label, help, group = "" }) => {
    const text = `${label} ${help} ${group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const rank = ({ label }: PickChoice): number => {
    const at = label.toLowerCase().indexOf(words[0]!);
    return at === 0 ? 0 : at > 0 ? 1 : 2;
  };
  return found.toSorted((one, other) => rank(one) - rank(other));
}

/** A list to choose from with arrows and by typing, on the alternate screen. */
export function openPicker(options: PickerOptions): Overlay {
  const { terminal, choices, onClose } = options;
  let search = "";
  let at = Math.max(
    0,
    choices.findIndex(({ value }) => value === options.current),
  );
  let found = choices;
  const repaint = (): void => {
    const lines = drawPicker({ ...options, search, found, at }, terminal.size());
    const toSearch = `\u001b[H\u001b[${options.widths.of(headOf(options.title, search))}C`;
    terminal.write(`\u001b[H${lines.map((line) => `${line}\u001b[K`).join("\r\n")}${toSearch}`);
  };
  const move = (rows: number): void => {
    at = Math.max(0, Math.min(found.length - 1, at + rows));
    repaint();
  };
  const wrap = (step: 1 | -1): void => {
    at = found.length === 0 ? 0 : (at + step + found.length) % found.length;
    repaint();
  };
  const searchFor = (text: string): void => {
    search = text;
    found = searchChoices(choices, search);
    at =
      search === ""
        ? Math.max(
            0,
            found.findIndex(({ value }) => value === options.current),
          )
        : 0;
    repaint();
  };
  const close = (value: string | undefined): void => {
    terminal.write(leave);
    onClose(value);
  };
  const choose = (): void => {
    const typed = search.trim();
    const chosen = found[at];
    if (chosen !== undefined) close(chosen.value);
    else if (options.typed !== undefined && typed !== "") close(typed);
  };
  const page = (): number => terminal.size().rows - 4;
  const actions: ReadonlyMap<string, () => void> = new Map([
    ["up", () => wrap(-1)],
    ["down", () => wrap(1)],
    ["ctrl-p", () => wrap(-1)],
    ["ctrl-n", () => wrap(1)],
    ["shift-tab", () => wrap(-1)],
    ["tab", () => wrap(1)],
    ["pageup", () => move(-page())],
    ["pagedown", () => move(page())],
    ["home", () => move(-found.length)],
    ["end", () => move(found.length)],
    ["backspace", () => searchFor(search.slice(0, -1))],
    ["ctrl-w", () => searchFor(search.replace(/\S*\s*$/, ""))],
    ["ctrl-u", () => searchFor("")],
    ["return", choose],
    ["soft-enter", choose],
    ["escape", () => close(undefined)],
    ["ctrl-c", () => close(undefined)],
    ["ctrl-d", () => close(undefined)],
  ]);
  terminal.write(enter);
  repaint();
  return {
    take: (stroke) => {
      if (stroke.type === "key") actions.get(stroke.name)?.();
      else searchFor(search + toTerminal(stroke.text).replaceAll(/\s/g, " "));
    },
    repaint,
  };
}

interface PickerView extends Pick<PickerOptions, "look" | "widths" | "title" | "typed"> {
  readonly search: string;
  readonly found: readonly PickChoice[];
  readonly at: number;
}

/** The text before the cursor. */
const headOf = (title: string, search: string): string => `${title}  ${search}`;

/** Title and search above, as many rows as the window has, keys below. */
function drawPicker(
  view: PickerView,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): readonly string[] {
  const { look, widths, found, at, search } = view;
  const width = columns - 1;
  const head = `${headOf(view.title, search)}${search === "" ? "type to search" : ""}`;
  const body = listRows(view, width, Math.max(1, rows - 3));
  const place = found.length === 0 ? "nothing found" : `${at + 1} of ${found.length}`;
  const foot = look.spell(` ${place} · ↑ ↓ ⏎ chooses · Esc leaves`);
  return [
    look.paint(cutTo(look.spell(head), width, widths), "bold"),
    ...body,
    ...Array.from({ length: rows - 2 - body.length }, () => ""),
    look.paint(cutTo(foot, width, widths), "inverse"),
  ];
}

function listRows(view: PickerView, width: number, height: number): readonly string[] {
  const { look, widths, found, at, search, typed } = view;
  if (found.length === 0) {
    const text = typed === undefined ? "  Nothing found." : `  Nothing found. ⏎ ${typed}.`;
    return [look.paint(cutTo(look.spell(text), width, widths), "dim")];
  }
  const isGrouped = search === "" && found.some(({ group }) => group !== undefined);
  const most = Math.max(...found.map(({ label }) => widths.of(label)));
  const size = Math.min(most, Math.max(12, Math.floor(width * 0.6)));
  const drawn = found.flatMap((choice, index) => {
    const isFirst = isGrouped && choice.group !== found[index - 1]?.group;
    const row = { row: choiceRow(choice, index === at, size, width, view), index };
    return isFirst
      ? [
          { row: look.paint(cutTo(`  ${choice.group ?? ""}`, width, widths), "dim"), index: -1 },
          row,
        ]
      : [row];
  });
  const chosen = drawn.findIndex(({ index }) => index === at);
  // The name of the first group stays in sight as long as its first row does.
  const top = Math.max(0, Math.min(chosen - Math.floor(height / 2), drawn.length - height));
  return drawn.slice(top, top + height).map(({ row }) => row);
}

function choiceRow(
  { label, help, isDim = false }: PickChoice,
  isChosen: boolean,
  size: number,
  width: number,
  { look, widths }: PickerView,
): string {
  const name = cutTo(label, size, widths);
  const gap = " ".repeat(Math.max(0, size - widths.of(name)) + 2);
  const sign = look.spell(isChosen ? "❯ " : "  ");
  const text = cutTo(`${sign}${name}${gap}${look.spell(toOneLine(help))}`, width, widths);
  if (isChosen) return look.paint(text, "inverse");
  return isDim ? look.paint(text, "dim") : text;
}
