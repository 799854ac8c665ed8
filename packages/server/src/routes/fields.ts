import { levels } from "mull";
import { choice, text, type Shape } from "../http/shape.ts";

/** `[provider:]name[/level]`: a provider the library knows, at an address that only the server knows. */
export const model: Shape<string> = text({
  min: 1,
  max: 200,
  pattern: /^[\w.:/@+-]+$/,
  words: "a model such as claude-opus-5-5 or openai:gpt-6-sol",
});
export const level: Shape<(typeof levels)[number]> = choice(levels);
export const title: Shape<string> = text({ max: 300 });
export const id: Shape<string> = text({
  min: 1,
  max: 64,
  pattern: /^[\w-]+$/,
  words: "an id",
});
