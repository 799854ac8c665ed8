import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { StoreCase } from "./conformance.ts";
import { refuses } from "./material.ts";

const someone = (): string => `user-${randomUUID()}`;

export const preferenceCases: readonly StoreCase[] = [
  {
    name: "F-W1: preferences are a user's own, and empty at first",
    run: async (open) => {
      const store = await open();
      const [ann, bob] = [someone(), someone()];
      assert.deepEqual(await store.getPreferences(ann), {});
      await store.changePreferences(ann, { theme: "dark\u0000" });
      assert.deepEqual(await store.getPreferences(ann), { theme: "dark\u0000" });
      assert.deepEqual(await store.getPreferences(bob), {});
    },
  },
  {
    name: "F-D6: devices that change different preferences at once keep each other's",
    run: async (open) => {
      const [phone, desk] = [await open(), await open()];
      const ann = someone();
      await phone.changePreferences(ann, { theme: "dark", level: "low" });
      await Promise.all([
        ...["none", "low", "high"].map((level) => phone.changePreferences(ann, { level })),
        ...["peek", "full"].map((thinking) => desk.changePreferences(ann, { thinking })),
      ]);
      const kept = await desk.changePreferences(ann, { level: "max" });
      assert.deepEqual(kept, { theme: "dark", level: "max", thinking: kept["thinking"] });
      assert.ok(kept["thinking"] === "peek" || kept["thinking"] === "full");
      assert.deepEqual(await phone.getPreferences(ann), kept);
    },
  },
  {
    name: "a change that cannot be stored leaves what was chosen before",
    run: async (open) => {
      const store = await open();
      const ann = someone();
      await store.changePreferences(ann, { theme: "light" });
      let deep: readonly unknown[] = [];
      for (let level = 0; level < 600; level++) deep = [deep];
      await refuses(store.changePreferences(ann, { deep: deep as never }), "too_deep");
      assert.deepEqual(await store.getPreferences(ann), { theme: "light" });
    },
  },
];
