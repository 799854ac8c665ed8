import { describe, expect, it } from "vitest";
import { openStorage } from "./open-storage.ts";
import { stub } from "../../../../test/stubs.ts";

const full = stub<Storage>({
  getItem: (key: string) => (key === "old" ? "before" : null),
  setItem: () => {
    throw new Error("QuotaExceededError");
  },
  removeItem: () => undefined,
});

describe("the storage of a browser", () => {
  it("R252: that is full keeps what is typed until the page is left", () => {
    const storage = openStorage(() => full);
    storage.setItem("old", "now");
    expect(storage.getItem("old")).toBe("now");
    expect(storage.isKept("old")).toBe(false);
    storage.removeItem("old");
    expect(storage.getItem("old")).toBe("before");
    expect(storage.isKept("old")).toBe(true);
  });

  it("R252: that is switched off is as good as empty", () => {
    const storage = openStorage(() => {
      throw new Error("SecurityError");
    });
    expect(storage.getItem("draft")).toBeNull();
    storage.setItem("draft", "words");
    expect(storage.getItem("draft")).toBe("words");
    storage.removeItem("draft");
    expect(storage.getItem("draft")).toBeNull();
  });
});
