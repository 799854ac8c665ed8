import { expect, test } from "vitest";

import { plainWords } from "./plain-words.ts";

test.each([
  ["# Title\n\nA **bold** and *slanted* `word`.", "Title A bold and slanted word."],
  ["See [the page](https://example.com/x) ~~no~~ now", "See the page no now"],
  ["Before\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nbehind", "Before behind"],
  ["Do this:\n```sh\nrm -r x\n```\nand that", "Do this: … and that"],
  ["It was cut in\n```js\nlet x", "It was cut in …"],
  ["- one\n2. two\n> three\n---\nfour", "one two three four"],
  ["2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"],
])("a conversation taken up again shows words: %j", (markdown, words) => {
  expect(plainWords(markdown)).toBe(words);
});
