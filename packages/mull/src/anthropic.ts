export { anthropic } from "./providers/anthropic.ts";
