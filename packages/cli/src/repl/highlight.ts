import hljs from "highlight.js/lib/core";
import type { Emitter, LanguageFn } from "highlight.js";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import type { Format } from "./look.ts";
import type { Span } from "./rows.ts";

const grammars: Readonly<Record<string, LanguageFn>> = {
  bash,
  c,
  cpp,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};

/** The 16 colours are the reader's own, so only those are used that stand out on dark and light. */
const colours: ReadonlyMap<string, Format> = new Map([
  ["comment", "dim"],
  ["quote", "dim"],
  ["meta", "dim"],
  ["keyword", "magenta"],
  ["selector-tag", "magenta"],
  ["name", "magenta"],
  ["string", "green"],
  ["regexp", "green"],
  ["addition", "green"],
  ["deletion", "red"],
  ["number", "yellow"],
  ["literal", "yellow"],
  ["symbol", "yellow"],
  ["title", "cyan"],
  ["type", "cyan"],
  ["built_in", "cyan"],
  ["attr", "cyan"],
  ["attribute", "cyan"],
  ["section", "cyan"],
  ["selector-class", "cyan"],
  ["selector-id", "cyan"],
]);

interface ScopedText {
  readonly text: string;
  readonly colour: Format | undefined;
  readonly depth: number;
}

/** Takes the highlighter's findings as a flat list instead of HTML. */
class FlatEmitter implements Emitter {
  readonly found: ScopedText[] = [];
  readonly #open: (Format | undefined)[] = [];

  addText(text: string): void {
    if (text === "") return;
    this.found.push({ text, colour: this.#open.findLast(Boolean), depth: this.#open.length });
  }
  startScope(scope: string): void {
    this.#open.push(colours.get(scope.replace(/\..*$/, "")));
  }
  endScope(): void {
    this.#open.pop();
  }
  /** The highlighter calls both pairs of names, whatever its types say. */
  openNode(scope: string): void {
    this.startScope(scope);
  }
  closeNode(): void {
    this.endScope();
  }
  __addSublanguage(emitter: Emitter, _name: string): void {
    if (emitter instanceof FlatEmitter) for (const { text } of emitter.found) this.addText(text);
  }
  finalize(): void {
    this.#open.length = 0;
  }
  toHTML(): string {
    return "";
  }
}

/** A line of code in colours, and what the next line needs to know of those before it. */
export interface PaintedLine {
  readonly spans: readonly Span[];
  readonly before: string;
}

/** Colours one line; `before` is what the call for the line above returned, at first "". */
export type PaintLine = (line: string, before: string) => PaintedLine;

/** Finds the painter of a language by the word behind a fence; absent for languages not known here. */
export type FindPainter = (language: string) => PaintLine | undefined;

/** A comment or string of more characters loses its colour further down; every line stays cheap. */
const longestContext = 4000;

/** The highlighter with its grammars, made once for a chat. */
export function createHighlighter(): FindPainter {
  const painter = hljs.newInstance();
  for (const [name, grammar] of Object.entries(grammars)) painter.registerLanguage(name, grammar);
  painter.configure({ __emitter: FlatEmitter });
  const flat = (text: string, language: string): readonly ScopedText[] => {
    const { _emitter } = painter.highlight(text, { language, ignoreIllegals: true });
    return _emitter instanceof FlatEmitter ? _emitter.found : [];
  };
  return (word) => {
    const language = /^[\w+#-]*/.exec(word.trim())?.[0].toLowerCase() ?? "";
    if (painter.getLanguage(language) === undefined) return undefined;
    return (line, before) => {
      const text = `${before}${line}\n`;
      const found = flat(text, language);
      // Where a comment or a string goes on below, the line break itself lies inside it.
      const isOpen = (found.at(-1)?.depth ?? 0) > 0 && text.length < longestContext;
      return { spans: spansFrom(found, before.length), before: isOpen ? text : "" };
    };
  };
}

/** The last line as spans: what begins at `start`, without its line break. */
function spansFrom(found: readonly ScopedText[], start: number): readonly Span[] {
  let at = 0;
  return found.flatMap(({ text, colour }): readonly Span[] => {
    const own = text.slice(Math.max(0, start - at)).replaceAll("\n", "");
    at += text.length;
    if (own === "") return [];
    return [{ text: own, ...(colour !== undefined && { formats: [colour] }) }];
  });
}
