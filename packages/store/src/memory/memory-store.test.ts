import { describe, expect, test } from "vitest";
import { storeConformance } from "../testing/index.ts";
import { createMemoryData } from "./data.ts";
import { memoryStore } from "./memory-store.ts";

describe("memory store", () => {
  const data = createMemoryData();
  storeConformance(async (options) => memoryStore({ ...options, data }), test);

  test("a closed store says so", async () => {
    const store = memoryStore();
    await store.check();
    await store.close();
    await expect(store.check()).rejects.toMatchObject({ code: "closed" });
  });
});
