import { homedir } from "node:os";

import { afterEach, expect, test, vi } from "vitest";

import { nodeIo } from "./node-io.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("started in a folder that was removed, the home stands in for it", () => {
  vi.spyOn(process, "cwd").mockImplementation(() => {
    throw Object.assign(new Error("ENOENT: no such file or directory, uv_cwd"), { code: "ENOENT" });
  });
  expect(nodeIo().cwd).toBe(homedir());
});

test("a terminal that does not know its width does not have none", () => {
  const { columns } = process.stdout;
  try {
    process.stdout.columns = 0;
    expect(nodeIo().columns).toBeUndefined();
    process.stdout.columns = 40;
    expect(nodeIo().columns).toBe(40);
  } finally {
    process.stdout.columns = columns;
  }
});
