// Most of these import Node's own modules, so they are bundled for Node, with those left out.
const forNode = (config) => ({ ...config, platform: "node", format: "esm" });

const bundle = (name, file) => ({
  name,
  path: `turns/${file}.mjs`,
  gzip: true,
  modifyEsbuildConfig: forNode,
});

export default [
  bundle("@anthropic-ai/sdk", "official"),
  bundle("AI SDK", "ai-sdk"),
  bundle("TanStack AI", "tanstack"),
  bundle("pi-ai", "pi-ai"),
  bundle("LangChain.js", "langchain"),
];
