import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ["@mull/source", "module", "browser", "import", "default"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    // Small files inlined as data: addresses would need a wider content policy.
    assetsInlineLimit: 0,
    modulePreload: false,
  },
});
