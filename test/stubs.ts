/** What a test needs of something large: the fields it is asked for, and no more. */
export const stub = <T extends object>(fields: Partial<T>): T => fields as T;

/** A value that a compiler would refuse, for tests of what is said about it. */
export const wrong = (value: unknown): never => value as never;
