import type { Token, Tokens } from "marked";
import type { ComponentChildren, JSX } from "preact";
import { useContext } from "preact/hooks";
import { memo } from "../preact-memo.ts";
import { CodeBlock } from "./code-block.tsx";
import { directionOf } from "./inline-text.ts";
import { renderInline } from "./inline.tsx";
import { MathsView } from "./maths-view.tsx";
import { LexerContext } from "./lexer-context.ts";

export interface ProseProps {
  readonly text: string;
}

/** One piece of prose, read again only when its own text changes; plain until the lexer is there. */
export const Prose: (props: ProseProps) => JSX.Element = memo(({ text }: ProseProps) => {
  const tokens = useContext(LexerContext)?.(text);
  if (tokens === undefined) return <p class="as-it-came">{text}</p>;
  return <>{renderBlocks(tokens)}</>;
});

const renderBlocks = (tokens: readonly Token[]): ComponentChildren =>
  tokens.map((token, index) => <BlockToken key={index} token={token} />);

/** Messages have headings of level 2; what a model writes is below them. */
const headings = ["h3", "h3", "h3", "h4", "h4", "h4"] as const;

function BlockToken({ token }: { readonly token: Token }): ComponentChildren {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading": {
      const { depth, tokens } = token as Tokens.Heading;
      const Heading = headings[depth - 1] ?? "h4";
      return (
        <Heading dir="auto" class={`depth-${depth}`}>
          {renderInline(tokens)}
        </Heading>
      );
    }
    case "paragraph":
      return <p dir="auto">{renderInline((token as Tokens.Paragraph).tokens)}</p>;
    case "text":
      return <>{renderInline((token as Tokens.Text).tokens ?? [token])}</>;
    case "blockquote":
      return (
        <blockquote dir={directionOf(token.raw)}>
          {renderBlocks((token as Tokens.Blockquote).tokens)}
        </blockquote>
      );
    case "code": {
      const { text, lang } = token as Tokens.Code;
      return <CodeBlock text={text} language={lang ?? ""} isOpen={false} />;
    }
    case "list":
      return <List list={token as Tokens.List} />;
    case "table":
      return <Table table={token as Tokens.Table} />;
    case "maths-block":
      return <MathsView text={String(token["text"])} isBlock />;
    case "hr":
      return <hr />;
    default:
      return <p class="as-it-came">{token.raw.trimEnd()}</p>;
  }
}

function List({ list }: { readonly list: Tokens.List }): JSX.Element {
  const items = list.items.map((item, index) => (
    <li key={index} dir="auto" class={item.task ? "task" : undefined}>
      {item.task ? (
        <span aria-label={item.checked ? "done" : "open"}>{item.checked ? "☑ " : "☐ "}</span>
      ) : null}
      {renderBlocks(item.tokens.filter((token) => token.type !== "checkbox"))}
    </li>
  ));
  const dir = directionOf(list.raw);
  return list.ordered ? (
    <ol dir={dir} start={Number(list.start) || 1}>
      {items}
    </ol>
  ) : (
    <ul dir={dir}>{items}</ul>
  );
}

/** Text this long is read better in a wide column that is scrolled to than in a narrow one. */
const wideText = 24;

/** Names such as gemini-3.1-pro-preview are one word; a browser would break them at every hyphen. */
const longestWord = 40;

const cell = ({ align, text }: Tokens.TableCell): { readonly class?: string } => {
  const names = [
    ...(align === null ? [] : [`align-${align}`]),
    ...(text.length > wideText ? ["wide"] : []),
    ...(text.length <= longestWord && !/\s/.test(text) ? ["word"] : []),
  ];
  return names.length === 0 ? {} : { class: names.join(" ") };
};

function Table({ table }: { readonly table: Tokens.Table }): JSX.Element {
  return (
    <div class="table" dir={directionOf(table.raw)} tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {table.header.map((head, index) => (
              <th key={index} scope="col" {...cell(head)}>
                {renderInline(head.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((each, column) => (
                <td key={column} {...cell(each)}>
                  {renderInline(each.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
