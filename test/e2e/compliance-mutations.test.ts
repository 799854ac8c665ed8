import { memoryStore } from "@mull/store";
import { describe, expect, it } from "vitest";
import { transforms } from "../../packages/server/src/turns/comply-history.ts";
import { newServer } from "./backend.ts";
import { criticalCases, lostOrder, signIn, testUser, type Setting } from "./cases.ts";
import { ChatClient } from "./client.ts";

const names = [
  "convertReasoningToThinking",
  "ensureToolMessageStructure",
  "ensureThinkingBlockCompliance",
];

const runSuite = async (stages: typeof transforms): Promise<void> => {
  const app = newServer(memoryStore(), stages);
  const client = new ChatClient("http://localhost:3001", (url, init) => app(url, init));
  const setting: Setting = {
    client,
    user: testUser,
    model: "claude-sonnet-4-5",
    level: "med",
    print: () => undefined,
  };
  await signIn(setting);
  for (const [, run] of criticalCases) await run(setting);
  await lostOrder(setting);
};

describe("the compliance suite notices what it is there for", () => {
  it("R265: passes with all three transforms", async () => {
    await expect(runSuite(transforms)).resolves.toBeUndefined();
  });

  it.each(names.map((name, index) => [name, index] as const))(
    "R266: fails without %s",
    async (_, index) => {
      const without = transforms.filter((__, position) => position !== index);
      await expect(runSuite(without)).rejects.toThrow(/COMPLIANCE ERROR/);
    },
  );

  it("R241: fails when thinking is complied with before it is converted", async () => {
    await expect(runSuite(transforms.toReversed())).rejects.toThrow(/COMPLIANCE ERROR/);
  });
});
