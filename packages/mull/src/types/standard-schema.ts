/** The part of the Standard Schema interface that mull uses. zod, valibot and arktype schemas fit. */
export interface StandardSchema<Input = unknown> {
  readonly "~standard": {
    readonly validate: (value: unknown) => StandardResult<Input> | Promise<StandardResult<Input>>;
    readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => unknown };
  };
}

type StandardResult<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly unknown[] | undefined;
      }[];
    };

/**
 * Whether a value is a Standard Schema. JSON Schema made by zod is not, although it carries a
 * `~standard` field.
 */
export const isStandardSchema = (schema: unknown): schema is StandardSchema<never> =>
  (typeof schema === "object" || typeof schema === "function") &&
  schema !== null &&
  "~standard" in schema &&
  !("$schema" in schema);
