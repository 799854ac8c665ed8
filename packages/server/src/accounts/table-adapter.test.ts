import type { CleanedWhere } from "better-auth/adapters";
import { describe, expect, it } from "vitest";
import { tableAdapter, type AccountQuery } from "./table-adapter.ts";

const equal = (field: string, value: string): CleanedWhere => ({
  field,
  value,
  operator: "eq",
  connector: "AND",
  mode: "sensitive",
});

const adapterOf = (failures: unknown[] = []): ReturnType<typeof tableAdapter> =>
  tableAdapter(
    new Map<string, AccountQuery>([
      ["find user by email", async ({ email }) => ({ email })],
      ["find account by accountId, userId", async (by) => by],
      ["delete session by token", async () => undefined],
    ]),
    (error) => failures.push(error),
  );

describe("3.6: what the account library may ask for", () => {
  it("3.6: questions find their answer in whatever order they name columns", async () => {
    const adapter = adapterOf();
    const where = [equal("email", "ann")];
    expect(await adapter.findOne({ model: "user", where })).toEqual({ email: "ann" });
    expect(await adapter.findMany({ model: "user", where, limit: 1 })).toEqual([{ email: "ann" }]);
    const both = [equal("userId", "1"), equal("accountId", "2")];
    expect(await adapter.findOne({ model: "account", where: both })).toEqual({
      userId: "1",
      accountId: "2",
    });
  });

  it.each<[string, CleanedWhere[]]>([
    ["another column", [equal("name", "ann")]],
    ["every row", []],
    ["one more column", [equal("email", "ann"), equal("name", "ann")]],
    ["anything but equality", [{ ...equal("email", "ann"), operator: "ne" }]],
    ["either of two", [equal("email", "ann"), { ...equal("email", "bob"), connector: "OR" }]],
    ["one of a list", [{ ...equal("email", "ann"), operator: "in", value: ["ann", "bob"] }]],
  ])("3.6: %s is refused, and the refusal is heard of", async (_what, where) => {
    const failures: unknown[] = [];
    const adapter = adapterOf(failures);
    await expect(adapter.findOne({ model: "user", where })).rejects.toThrow(/^Accounts are/);
    expect(failures).toHaveLength(1);
  });

  it("3.6: so is deleting without a table entry, counting and changing many", async () => {
    const failures: unknown[] = [];
    const adapter = adapterOf(failures);
    const where = [equal("token", "t")];
    await adapter.delete({ model: "session", where });
    await expect(adapter.deleteMany({ model: "session", where: [] })).rejects.toThrow("to delete");
    await expect(adapter.delete({ model: "user", where })).rejects.toThrow("to delete user");
    await expect(adapter.count({ model: "user" })).rejects.toThrow("to count user");
    await expect(adapter.updateMany({ model: "user", where, update: {} })).rejects.toThrow("many");
    expect(failures).toHaveLength(4);
  });
});
