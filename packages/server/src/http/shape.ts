import { isJsonObject } from "mull/wire";
import { MullError } from "mull";

/** Reads one kind of value from a request, or refuses it with the field and what is allowed. */
export interface Shape<T> {
  readonly read: (value: unknown, field: string) => T;
  /** Makes a field optional. */
  readonly isOptional?: true;
  /** In a query, numbers and switches are text. */
  readonly readText?: (text: string, field: string) => T;
}

type ShapeOf<S> = S extends Shape<infer T> ? T : never;

type Fields = Readonly<Record<string, Shape<unknown>>>;
type OptionalName<F extends Fields> = {
  [K in keyof F]: F[K] extends { readonly isOptional: true } ? K : never;
}[keyof F];
export type ReadShape<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalName<F>>]: ShapeOf<F[K]>;
} & { readonly [K in OptionalName<F>]?: ShapeOf<F[K]> };

export const badRequest = (field: string, allowed: string): MullError =>
  new MullError(`${field}: expected ${allowed}.`, {
    category: "invalid_argument",
    status: 400,
    code: "INVALID_ARG",
    field,
  });

export interface TextLimits {
  readonly min?: number;
  readonly max: number;
  readonly pattern?: RegExp;
  readonly words?: string;
}

export const text = ({ min = 0, max, pattern, words }: TextLimits): Shape<string> => {
  const read = (value: unknown, field: string): string => {
    const isFit =
      typeof value === "string" &&
      value.length >= min &&
      value.length <= max &&
      (pattern === undefined || pattern.test(value));
    if (!isFit) throw badRequest(field, words ?? `a string of ${min} to ${max} characters`);
    return value;
  };
  return { read, readText: read };
};

export const choice = <const T extends string>(allowed: readonly T[]): Shape<T> => {
  const read = (value: unknown, field: string): T => {
    const found = allowed.find((word) => word === value);
    if (found === undefined) throw badRequest(field, `one of ${allowed.join(" ")}`);
    return found;
  };
  return { read, readText: read };
};

export const whole = (least: number, most: number): Shape<number> => {
  const read = (value: unknown, field: string): number => {
    if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
      throw badRequest(field, `a whole number from ${least} to ${most}`);
    }
    return value;
  };
  return {
    read,
    readText: (spelled, field) =>
      read(/^-?\d{1,16}$/.test(spelled) ? Number(spelled) : undefined, field),
  };
};

export const flag: Shape<boolean> = {
  read: (value, field) => {
    if (typeof value !== "boolean") throw badRequest(field, "true or false");
    return value;
  },
  readText: (spelled, field) => choice(["true", "false"]).read(spelled, field) === "true",
};

export const list = <T>(item: Shape<T>, most: number): Shape<readonly T[]> => ({
  read: (value, field) => {
    if (!Array.isArray(value) || value.length > most) {
      throw badRequest(field, `a list of at most ${most}`);
    }
    return value.map((each: unknown, index) => item.read(each, `${field}[${index}]`));
  },
});

/** Any JSON object; its handler reads it field by field. */
export const anyObject: Shape<Readonly<Record<string, unknown>>> = {
  read: (value, field) => {
    if (!isJsonObject(value)) throw badRequest(field, "an object");
    return value;
  },
};

/** Any JSON value, passed through unread. */
export const anything: Shape<unknown> = { read: (value) => value };

export const nullable = <T>(inner: Shape<T>): Shape<T | null> => ({
  read: (value, field) => (value === null ? null : inner.read(value, field)),
});

export const optional = <T>(inner: Shape<T>): Shape<T> & { readonly isOptional: true } => ({
  ...inner,
  isOptional: true,
});

/** Closed: refuses fields that aren't listed, so that no address or header can slip in. */
export const object = <const F extends Fields>(
  fields: F,
): Shape<ReadShape<F>> & { readonly fields: F } => {
  const table = new Map(Object.entries(fields));
  const names = [...table.keys()].join(" ") || "no fields";
  const readFields = (
    entries: Iterable<readonly [string, unknown]>,
    readOne: (shape: Shape<unknown>, value: unknown, field: string) => unknown,
    field: string,
  ): ReadShape<F> => {
    const found = new Map<string, unknown>();
    for (const [name, value] of entries) {
      const shape = table.get(name);
      const path = field === "" ? name : `${field}.${name}`;
      if (shape === undefined) throw badRequest(path.slice(0, 80), `only these fields: ${names}`);
      if (found.has(name)) throw badRequest(path, "each field once");
      found.set(name, readOne(shape, value, path));
    }
    for (const [name, shape] of table) {
      if (!found.has(name) && shape.isOptional !== true) {
        throw badRequest(field === "" ? name : `${field}.${name}`, "a value; it is missing");
      }
    }
    return Object.fromEntries(found) as ReadShape<F>;
  };
  return {
    fields,
    read: (value, field) => {
      if (!isJsonObject(value)) throw badRequest(field || "body", "a JSON object");
      const given = Object.entries(value).filter(([, each]) => each !== undefined);
      return readFields(given, (shape, each, path) => shape.read(each, path), field);
    },
  };
};

/** Reads a query by the shape of an object whose fields can be written as text. */
export const readQuery = (
  shape: Shape<unknown> & { readonly fields: Fields },
  query: URLSearchParams,
): unknown => {
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, spelled] of query) {
    if (name in values) throw badRequest(name.slice(0, 80), "each field once");
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    values[name] = field?.readText === undefined ? spelled : field.readText(spelled, name);
  }
  return shape.read(values, "");
};
