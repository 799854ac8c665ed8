/** Tests that take long or need much of the machine. Each is one project of Vitest and one command, `npm run test:<name>`. */
export interface Suite {
  readonly name: string;
  readonly what: string;
  readonly files: readonly string[];
  /** With a real browser, terminal or client, which stall on a busy machine: CI tries such a test again. */
  readonly isReal?: true;
}

/** Percent of the catalogue, the dial and the wires that `npm run coverage` must see run, with or without recordings. */
export const coverageFloor = { lines: 100, functions: 100, statements: 100, branches: 100 };

/** Projects that `npm test` runs. */
export const isQuick = (project: string): boolean => project.startsWith("quick-");

/**
 * Tests that need a worker of their own: one mocks a module, the others put a `window` or a `document`
 * in place, and the vendors' clients refuse to run in what looks like a browser.
 */
export const isolatedTests: readonly string[] = [
  "packages/mull/src/transport/through-fetch.test.ts",
  "packages/web/src/**/*.test.{ts,tsx}",
  "test/e2e/use-chat.test.ts",
];

export const heavySuites: readonly Suite[] = [
  {
    name: "browser",
    what: "the page and the browser example in a real Chromium",
    files: ["test/browser/**/*.test.ts", "test/browser-example.test.ts"],
    isReal: true,
  },
  {
    name: "terminal",
    what: "the chat behind a real pseudo-terminal",
    files: ["packages/cli/src/repl/pty.test.ts"],
    isReal: true,
  },
  {
    name: "crash",
    what: "stores, servers, recorders and agents killed at any moment",
    files: [
      "packages/store/src/crash/{first-start,holder,import,kill,soak}.test.ts",
      "packages/server/src/crash.test.ts",
      "packages/vcr/src/crash.test.ts",
      "test/agents/kill.test.ts",
    ],
  },
  {
    name: "soak",
    what: "servers behind nginx: killed, restarted, and without Redis for a while",
    files: ["packages/server/src/{testing/soak/soak,rolling-restart}.test.ts"],
  },
  {
    name: "power-cut",
    what: "power cut under a store and under a server",
    files: ["packages/store/src/crash/power-cut.test.ts", "test/power-cut/**/*.test.ts"],
  },
  {
    name: "disk-full",
    what: "stores and servers on a disk that is full",
    files: ["packages/{store/src/crash,server/src}/disk-full.test.ts"],
  },
  {
    name: "packages",
    what: "what is published, installed into an empty project; code in documents compiles",
    files: ["test/{packages,commonjs,document-code}.test.ts"],
  },
  {
    name: "examples",
    what: "every program of examples/ in a process of its own",
    files: ["test/{examples,short-examples,next-example,otlp-example}.test.ts"],
  },
  {
    name: "bench-gate",
    what: "counts and sizes the benchmarks hold",
    files: ["test/bench-gate/**/*.test.ts"],
  },
  {
    name: "leaks",
    what: "a thousand turns leave no heap, handle or stream behind",
    files: ["test/leaks/**/*.test.ts"],
  },
  {
    name: "handoff",
    what: "every model hands over to every other, in five kinds",
    files: ["test/handoff/**/*.test.ts", "packages/cli/src/commands/matrix.test.ts"],
  },
  {
    name: "agents",
    what: "Claude Code, Codex and the SDKs through the gateway, on a model of another vendor",
    files: ["test/clients/**/*.test.ts"],
    isReal: true,
  },
];
