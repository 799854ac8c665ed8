/** Blocks of a hand-written page that a script fills: `<!-- made: NAME -->` … `<!-- end: NAME -->`. */
const block = /<!-- made: ([a-z-]+) -->\n[\s\S]*?<!-- end: \1 -->/g;

/**
 * `<!-- example: NAME -->` and the fence after it, which holds `examples/NAME.ts`. A mark without a fence gets one:
 * otherwise a page that lost its fence would announce a program and show none.
 */
const example = /<!-- example: ([a-z/-]+) -->(?:\n```ts\n[\s\S]*?```)?/g;

/** The page with every block refilled. An unknown block name is an error, most likely a typo. */
export const fillBlocks = (page: string, makers: ReadonlyMap<string, () => string>): string =>
  page.replace(block, (_, name: string) => {
    const make = makers.get(name);
    if (make === undefined) throw new Error(`nothing makes the block ${name}`);
    return `<!-- made: ${name} -->\n${make()}\n<!-- end: ${name} -->`;
  });

/** The page with every example as its file has it. */
export const fillExamples = (page: string, read: (name: string) => string): string =>
  page.replace(
    example,
    (_, name: string) => `<!-- example: ${name} -->\n\`\`\`ts\n${read(name).trimEnd()}\n\`\`\``,
  );
