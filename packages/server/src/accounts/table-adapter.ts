import type { CleanedWhere, CustomAdapter } from "better-auth/adapters";

export type AccountRow = Readonly<Record<string, unknown>>;
/** Columns and what they must be. */
export type AccountFields = Readonly<Record<string, string>>;

/**
 * What a store answers, by what is asked: `find user by email`, `create session`. Only what is in
 * the table can be asked for.
 */
export type Answers = ReadonlyMap<string, AccountQuery>;
export type AccountQuery = (by: AccountFields, data: AccountRow) => Promise<AccountRow | void>;

/** The library's adapter out of a table of answers. `onFailure` hears of everything that is refused. */
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

/** Equality joined by "and" is all that is understood: anything wider must not be taken for it. */
function fieldsOf(where: readonly CleanedWhere[]): AccountFields {
  for (const { operator, connector, value } of where) {
    if (operator !== "eq" || connector !== "AND" || typeof value !== "string") {
      throw new Error("Accounts are found by equal texts only.");
    }
  }
  return Object.fromEntries(where.map(({ field, value }) => [field, value as string]));
}
