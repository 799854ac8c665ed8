import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ["@mull/source", "module", "browser", "import", "default"] },
  // Named here, or a build that a test makes would carry the file and line of every element.
  oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    // Small files inlined as data: addresses would need a wider content policy.
    assetsInlineLimit: 0,
    modulePreload: false,
  },
});
