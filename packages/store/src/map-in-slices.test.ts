import { expect, test } from "vitest";
import { mapInSlices } from "./map-in-slices.ts";

test("F-W17: a long list is mapped in order, and others run in between", async () => {
  const items = Array.from({ length: 1700 }, (_, index) => index);
  let done = 0;
  let doneWhenOthersRan: number | undefined;
  const mapping = mapInSlices(items, (item) => {
    done++;
    return item * 2;
  });
  setImmediate(() => {
    doneWhenOthersRan = done;
  });
  expect(await mapping).toEqual(items.map((item) => item * 2));
  expect(doneWhenOthersRan).toBeLessThan(items.length);
});
