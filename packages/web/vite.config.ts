import { defineConfig, type Plugin } from "vite";

/** Every browser that runs the page reads WOFF2: the fonts of formulas are not shipped three times. */
const onlyWoff2 = (): Plugin => ({
  name: "only-woff2",
  enforce: "pre",
  transform: {
    filter: { id: /katex\.min\.css$/ },
    handler: (css: string) => css.replaceAll(/,url\([^)]+\) format\("(?:woff|truetype)"\)/g, ""),
  },
});

export default defineConfig({
  root: import.meta.dirname,
  plugins: [onlyWoff2()],
  resolve: { conditions: ["@mull/source", "module", "browser", "import", "default"] },
  // Named here, or a build that a test makes would carry the file and line of every element.
  oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    // Small files inlined as data: addresses would need a wider content policy.
    assetsInlineLimit: 0,
    // Their licences ask that their texts come along with what is bundled of them.
    license: { fileName: "licences.md" },
    modulePreload: false,
    rolldownOptions: {
      // In one file what several share is smaller than in many.
      output: {
        codeSplitting: { groups: [{ name: "shared", minShareCount: 2, tags: ["$initial"] }] },
      },
    },
  },
});
