import { readFileSync } from "node:fs";

/** The package version; `package.json` is one level above both `src` and `dist`. */
export function version(): string {
  const { version: text } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  ) as { readonly version: string };
  return text;
}
