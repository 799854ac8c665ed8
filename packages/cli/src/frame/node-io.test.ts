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
