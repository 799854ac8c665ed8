import { rmSync, writeFileSync } from "node:fs";
// The package is CommonJS without named exports that Node can see.
import xterm from "@xterm/headless";
import { startChat } from "../packages/cli/src/repl/testing/chat.ts";

/** A real chat with the emulator, driven by keys, drawn as a terminal would show it. */
const columns = 80;
const lines = ["What is 23 * 47?", "/model gpt-6-sol/high", "What is 15% of 1,081?", "/receipt"];

const palette: readonly string[] = [
  "#1d2027",
  "#d9646c",
  "#7fb069",
  "#d9a24a",
  "#5b9bd5",
  "#b48ead",
  "#56b6c2",
  "#c8ccd4",
];
const ground = "#16181d";
const ink = "#d8dbe2";
const cell = { width: 8.4, height: 19, margin: 16 } as const;

interface Run {
  readonly column: number;
  readonly text: string;
  readonly style: string;
}

type Buffer = xterm.Terminal["buffer"]["active"];
type Line = NonNullable<ReturnType<Buffer["getLine"]>>;
type Look = NonNullable<ReturnType<Line["getCell"]>>;

const styleOf = (look: Look): string =>
  [
    `fill="${look.isFgDefault() ? ink : (palette[look.getFgColor() % palette.length] ?? ink)}"`,
    ...(look.isBold() ? ['font-weight="700"'] : []),
    ...(look.isItalic() ? ['font-style="italic"'] : []),
    ...(look.isDim() ? ['opacity="0.62"'] : []),
  ].join(" ");

/** Neighbouring cells that look the same are one run. */
const runsOf = (line: Line): readonly Run[] => {
  const runs: Run[] = [];
  for (let column = 0; column < columns; column++) {
    const look = line.getCell(column);
    if (look === undefined || look.getWidth() === 0) continue;
    const text = look.getChars() || " ";
    const style = styleOf(look);
    const last = runs.at(-1);
    if (last?.style === style) runs[runs.length - 1] = { ...last, text: last.text + text };
    else runs.push({ column, text, style });
  }
  return runs.filter((run) => run.text.trim() !== "");
};

/** Renderers fold spaces whatever `xml:space` says, so they are made hard. */
const escape = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(" ", "\u00A0");

const draw = (buffer: Buffer): string => {
  const rows = Array.from({ length: buffer.length }, (_, row) => buffer.getLine(row)).filter(
    (line) => line !== undefined,
  );
  const last = rows.findLastIndex((line) => line.translateToString(true).trim() !== "");
  const width = Math.ceil(columns * cell.width + 2 * cell.margin);
  const height = (last + 1) * cell.height + 2 * cell.margin;
  const texts = rows.slice(0, last + 1).flatMap((line, row) =>
    runsOf(line).map(({ column, text, style }) => {
      const length = (text.trimEnd().length * cell.width).toFixed(1);
      const x = (cell.margin + column * cell.width).toFixed(1);
      const y = cell.margin + row * cell.height + 14;
      return `<text x="${x}" y="${y}" textLength="${length}" ${style}>${escape(text.trimEnd())}</text>`;
    }),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A chat with mull in a terminal">`,
    `<rect width="100%" height="100%" rx="8" fill="${ground}"/>`,
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">',
    ...texts,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
};

/** The picture of a whole chat. Times in it are those of this run. */
export async function drawTerminal(): Promise<string> {
  const chat = startChat({ columns, rows: 60, faults: "pace=12", env: { NO_COLOR: "" } });
  await chat.sees("? for keys");
  for (const line of lines) await chat.say(line);
  const written = chat.written();
  await chat.leave();
  rmSync(chat.home, { recursive: true, force: true });
  const terminal = new xterm.Terminal({ cols: columns, rows: 60, allowProposedApi: true });
  await new Promise<void>((done) => terminal.write(written, done));
  return draw(terminal.buffer.active);
}

if (import.meta.url === `file://${process.argv[1]}`) {
  writeFileSync("docs/pictures/terminal.svg", await drawTerminal());
}
