import { readFileSync } from "node:fs";

/** The version of the package, beside `src` and `dist` alike. */
export function version(): string {
  const { version: text } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  ) as { readonly version: string };
  return text;
}
