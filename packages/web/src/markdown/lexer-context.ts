import type { Token } from "marked";
import { createContext, type Context } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Reads prose; `undefined` for what is better shown as it came. */
export type Lexer = (text: string) => readonly Token[] | undefined;

/** The lexer is a third of the page: it is fetched after the first paint. */
export const LexerContext: Context<Lexer | undefined> = createContext<Lexer | undefined>(undefined);

export function useLexer(): Lexer | undefined {
  const [lexer, setLexer] = useState<Lexer>();
  useEffect(() => {
    void import("./lex-prose.ts").then(({ lexProse }) => setLexer(() => lexProse));
  }, []);
  return lexer;
}
