import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import type { JsonObject, JsonValue } from "mull";

/** A vendor's declarations: fields and their types by interface, and what the aliases stand for. */
export interface VendorTypes {
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly aliases: ReadonlyMap<string, string>;
}

const require = createRequire(import.meta.url);

const sourceOf = (packageName: string, file: string): string => {
  const main = require.resolve(packageName);
  const root = main.slice(0, main.lastIndexOf(`node_modules/${packageName}`));
  return readFileSync(join(root, "node_modules", packageName, file), "utf8");
};

/** `"a{b}" | 'c'` may hold braces and semicolons: they are hidden while the structure is read. */
const tokens =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[\w$.]+|=>|[{}()[\]<>|&;:,?=]/g;

const closing = new Map([
  ["{", "}"],
  ["(", ")"],
  ["[", "]"],
  ["<", ">"],
]);

/** Reads the declarations of a package: interfaces, object types and aliases, namespaces included. */
export function readVendorTypes(packageName: string, ...files: readonly string[]): VendorTypes {
  const fields = new Map<string, Map<string, string>>();
  const aliases = new Map<string, string>();
  for (const file of files) {
    const words = (sourceOf(packageName, file).match(tokens) ?? []).filter(
      (word) => !word.startsWith("/*") && !word.startsWith("//"),
    );
    new Reader(words, fields, aliases).declarations("");
  }
  return { fields, aliases };
}

class Reader {
  #at = 0;
  readonly #words: readonly string[];
  readonly #fields: Map<string, Map<string, string>>;
  readonly #aliases: Map<string, string>;

  constructor(
    words: readonly string[],
    fields: Map<string, Map<string, string>>,
    aliases: Map<string, string>,
  ) {
    this.#words = words;
    this.#fields = fields;
    this.#aliases = aliases;
  }

  declarations(scope: string): void {
    while (this.#at < this.#words.length) {
      const word = this.#words[this.#at++];
      if (word === "}") return;
      if (word === "interface" || word === "class") this.#interface(scope);
      else if (word === "namespace") {
        const name = scope + this.#words[this.#at];
        this.#at += 2;
        this.declarations(`${name}.`);
      } else if (word === "type" && this.#words[this.#at + 1] === "=") {
        const name = scope + this.#words[this.#at];
        this.#at += 2;
        this.#aliases.set(name, this.#type());
      } else if (word === "{") {
        this.#at -= 1;
        this.#type();
      }
    }
  }

  #interface(scope: string): void {
    const name = scope + this.#words[this.#at++];
    const parents: string[] = [];
    while (this.#words[this.#at] !== "{") {
      if (this.#words[this.#at - 1] === "extends") parents.push(this.#words[this.#at] ?? "");
      this.#at += 1;
    }
    const own = new Map<string, string>();
    for (const parent of parents) own.set(`extends ${parent}`, parent);
    this.#at += 1;
    while (this.#at < this.#words.length && this.#words[this.#at] !== "}") {
      const field = (this.#words[this.#at++] ?? "").replaceAll(/^['"]|['"]$/g, "");
      if (this.#words[this.#at] === "?") this.#at += 1;
      if (this.#words[this.#at] !== ":") {
        this.#type();
        continue;
      }
      this.#at += 1;
      own.set(field, this.#type());
    }
    this.#at += 1;
    this.#fields.set(name, own);
  }

  /** The words up to the `;` that ends a type, brackets balanced. */
  #type(): string {
    const open: string[] = [];
    const read: string[] = [];
    while (this.#at < this.#words.length) {
      const word = this.#words[this.#at] ?? "";
      if (open.length === 0 && (word === ";" || word === "}")) {
        if (word === ";") this.#at += 1;
        return read.join(" ");
      }
      this.#at += 1;
      read.push(word);
      const close = closing.get(word);
      if (close !== undefined) open.push(close);
      else if (word === open.at(-1)) open.pop();
    }
    return read.join(" ");
  }
}

const isWord = (word: string): boolean => /^[A-Za-z_$][\w$.]*$/.test(word);

/** `ResponsesAPI.ResponseInputItem.Message` inside `A.B` is `ResponseInputItem.Message`, or one of A's own. */
function resolve(
  { fields, aliases }: VendorTypes,
  name: string,
  scope: string,
): string | undefined {
  const isKnown = (each: string): boolean => fields.has(each) || aliases.has(each);
  for (let around = scope; ; around = around.slice(0, Math.max(0, around.lastIndexOf(".")))) {
    const inner = around === "" ? name : `${around}.${name}`;
    if (isKnown(inner)) return inner;
    if (around === "") break;
  }
  const bare = name.slice(name.indexOf(".") + 1);
  return isKnown(bare) ? bare : undefined;
}

/** The interfaces a type stands for, and the words it allows. */
export function membersOf(
  types: VendorTypes,
  type: string,
  scope: string,
): { readonly interfaces: readonly string[]; readonly words: readonly string[] } {
  const interfaces = new Set<string>();
  const words: string[] = [];
  const seen = new Set<string>();
  const follow = (text: string, around: string): void => {
    for (const word of text.split(" ")) {
      if (/^['"]/.test(word)) words.push(word.slice(1, -1));
      if (!isWord(word)) continue;
      const name = resolve(types, word, around);
      if (name === undefined || seen.has(name)) continue;
      seen.add(name);
      if (types.fields.has(name)) interfaces.add(name);
      else follow(types.aliases.get(name) ?? "", name);
    }
  };
  follow(type, scope);
  return { interfaces: [...interfaces], words };
}

/** All fields of an interface with those it extends. */
export function fieldsOf(types: VendorTypes, name: string): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (const [field, type] of types.fields.get(name) ?? []) {
    if (!field.startsWith("extends ")) all.set(field, type);
    else {
      const parent = resolve(types, type, name);
      if (parent !== undefined) for (const each of fieldsOf(types, parent)) all.set(...each);
    }
  }
  return all;
}

/**
 * One object of an interface with every field it may have. A field that takes several interfaces holds
 * a list of one of each: a reader of names takes a list for its members.
 */
export function fullSample(
  types: VendorTypes,
  name: string,
  skip: ReadonlySet<string>,
  above: readonly string[] = [],
): JsonObject {
  const sample: Record<string, JsonValue> = {};
  for (const [field, type] of fieldsOf(types, name)) {
    if (skip.has(field)) continue;
    const { interfaces, words } = membersOf(types, type, name);
    const inner = interfaces.filter((each) => !above.includes(each) && each !== name);
    sample[field] =
      inner.length > 0
        ? inner.map((each) => fullSample(types, each, skip, [...above, name]))
        : (words[0] ?? "text");
  }
  return sample;
}
