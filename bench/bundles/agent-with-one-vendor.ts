/** A conversation with tools, with the models and the wire of one vendor. */
export { Agent, targetOf, tool } from "mull/core";
export { anthropic } from "mull/anthropic";
