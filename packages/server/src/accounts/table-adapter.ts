import type { CleanedWhere, CustomAdapter } from "better-auth/adapters";

export type AccountRow = Readonly<Record<string, unknown>>;
/** Columns and the values they must have. */
export type AccountFields = Readonly<Record<string, string>>;

/**
 * What a store answers, by question: `find user by email`, `create session`. The library can only
 * ask for what is in the table.
 */
export type Answers = ReadonlyMap<string, AccountQuery>;
export type AccountQuery = (by: AccountFields, data: AccountRow) => Promise<AccountRow | void>;

/**
 * Makes the library's adapter from a table of answers. `onFailure` is called with every refusal.
 */
export function tableAdapter(answers: Answers, onFailure: (error: unknown) => void): CustomAdapter {
  const ask = async (
    what: string,
    where: readonly CleanedWhere[] = [],
    data: AccountRow = {},
  ): Promise<AccountRow | void> => {
    try {
      const by = fieldsOf(where);
      const names = Object.keys(by).toSorted().join(", ");
      const question = names === "" ? what : `${what} by ${names}`;
      const answer = answers.get(question);
      if (answer === undefined) throw new Error(`Accounts are not kept in a way to ${question}.`);
      return await answer(by, data);
    } catch (error) {
      onFailure(error);
      throw error;
    }
  };
  const refuse = async (what: string): Promise<never> => {
    const error = new Error(`Accounts are not kept in a way to ${what}.`);
    onFailure(error);
    throw error;
  };

  return {
    create: async <T>({ model, data }: { model: string; data: T }) =>
      (await ask(`create ${model}`, [], data as AccountRow)) as T,
    update: async <T>(given: { model: string; where: CleanedWhere[]; update: T }) =>
      ((await ask(`update ${given.model}`, given.where, given.update as AccountRow)) ??
        null) as T | null,
    findOne: async <T>({ model, where }: { model: string; where: CleanedWhere[] }) =>
      ((await ask(`find ${model}`, where)) ?? null) as T | null,
    findMany: async <T>({
      model,
      where,
    }: {
      model: string;
      where?: CleanedWhere[] | undefined;
    }) => {
      const row = await ask(`find ${model}`, where);
      return (row === undefined ? [] : [row]) as T[];
    },
    delete: async ({ model, where }) => {
      await ask(`delete ${model}`, where);
    },
    deleteMany: async ({ model, where }) => {
      await ask(`delete ${model}`, where);
      return 0;
    },
    updateMany: ({ model }) => refuse(`update many of ${model}`),
    count: ({ model }) => refuse(`count ${model}`),
  };
}

/**
 * Only equality joined by "and" is supported. Anything wider must be refused, or it would match too
 * much.
 */
function fieldsOf(where: readonly CleanedWhere[]): AccountFields {
  for (const { operator, connector, value } of where) {
    if (operator !== "eq" || connector !== "AND" || typeof value !== "string") {
      throw new Error("Accounts are found by equal texts only.");
    }
  }
  return Object.fromEntries(where.map(({ field, value }) => [field, value as string]));
}
