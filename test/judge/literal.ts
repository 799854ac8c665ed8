import type { JsonValue } from "mull";

/** TypeScript source of a JSON value, one member a line, and the JSON path of every line. */
export interface Literal {
  readonly lines: readonly string[];
  readonly paths: readonly string[];
}

/** `const NAME: TYPE = VALUE`: written out, so that fields the type does not have are refused too. */
export function writeLiteral(name: string, type: string, value: JsonValue): Literal {
  const lines: string[] = [];
  const paths: string[] = [];
  const put = (depth: number, text: string, path: string): void => {
    lines.push(" ".repeat(depth) + text);
    paths.push(path);
  };
  const write = (depth: number, head: string, tail: string, path: string, of: JsonValue): void => {
    if (typeof of !== "object" || of === null) {
      put(depth, `${head}${JSON.stringify(of)}${tail}`, path);
      return;
    }
    const isList = Array.isArray(of);
    put(depth, head + (isList ? "[" : "{"), path);
    for (const [key, member] of Object.entries(of) as [string, JsonValue][]) {
      const place = isList ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
      write(depth + 1, isList ? "" : `${JSON.stringify(key)}: `, ",", place, member);
    }
    put(depth, (isList ? "]" : "}") + tail, path);
  };
  write(0, `export const ${name}: ${type} = `, ";", "", value);
  return { lines, paths };
}
