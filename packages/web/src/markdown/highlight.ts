import hljs from "highlight.js/lib/core";
import type { Emitter, LanguageFn } from "highlight.js";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

/** A run of text, or of spans of one colour. */
export type CodeSpan = string | { readonly scope: string; readonly children: readonly CodeSpan[] };

const languages: readonly (readonly [name: string, grammar: LanguageFn])[] = [
  ["bash", bash],
  ["c", c],
  ["css", css],
  ["diff", diff],
  ["go", go],
  ["java", java],
  ["javascript", javascript],
  ["json", json],
  ["python", python],
  ["rust", rust],
  ["sql", sql],
  ["typescript", typescript],
  ["xml", xml],
  ["yaml", yaml],
];

interface OpenSpan {
  readonly scope: string;
  readonly children: CodeSpan[];
}

/** Takes the highlighter's findings as spans instead of HTML text. */
class SpanEmitter implements Emitter {
  readonly root: OpenSpan = { scope: "", children: [] };
  private readonly stack: OpenSpan[] = [this.root];

  addText(text: string): void {
    if (text !== "") this.top().children.push(text);
  }
  startScope(scope: string): void {
    const span: OpenSpan = { scope: scope.replaceAll(/[^a-z-].*/g, ""), children: [] };
    this.top().children.push(span);
    this.stack.push(span);
  }
  endScope(): void {
    if (this.stack.length > 1) this.stack.pop();
  }
  /** The highlighter calls both pairs of names, whatever its types say. */
  openNode(scope: string): void {
    this.startScope(scope);
  }
  closeNode(): void {
    this.endScope();
  }
  __addSublanguage(emitter: Emitter, _name: string): void {
    if (emitter instanceof SpanEmitter) this.top().children.push(...emitter.root.children);
  }
  finalize(): void {
    this.stack.length = 1;
  }
  toHTML(): string {
    return "";
  }
  private top(): OpenSpan {
    return this.stack.at(-1) ?? this.root;
  }
}

const painter = hljs.newInstance();
for (const [name, grammar] of languages) painter.registerLanguage(name, grammar);
painter.configure({ __emitter: SpanEmitter });

/** The text in coloured spans; `undefined` where the language is not known here. */
export function highlight(text: string, language: string): readonly CodeSpan[] | undefined {
  if (painter.getLanguage(language) === undefined) return undefined;
  const { _emitter } = painter.highlight(text, { language, ignoreIllegals: true });
  return _emitter instanceof SpanEmitter ? _emitter.root.children : undefined;
}
