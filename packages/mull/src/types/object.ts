/** An object that is still growing: every field may be missing yet. */
export type DeepPartial<T> = unknown extends T
  ? unknown
  : T extends readonly (infer Item)[]
    ? readonly DeepPartial<Item>[]
    : T extends object
      ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
      : T;
