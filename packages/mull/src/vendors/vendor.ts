import type { WireId } from "../types/message.ts";
import type { Model, ThinkingTraits } from "../types/model.ts";
import type { Provider } from "../types/provider.ts";
import type { Quirks } from "../types/quirks.ts";
import { assumeNamed, lookUp, openTraits } from "./look-up.ts";

/** Everything about a vendor as data. With its wire it becomes a `Provider`. */
export interface Vendor extends Omit<Provider, "wire"> {
  readonly wire: WireId;
}

/** A model: its id, how it thinks, and what else differs from the vendor's other models. */
export type ModelRow = Partial<Model> & Pick<Model, "id" | "thinking">;

export const row = (
  id: string,
  thinking: ThinkingTraits,
  fields: Partial<Model> = {},
): ModelRow => ({
  ...fields,
  id,
  thinking,
});

/**
 * The facts of a vendor's file. The trap: with `...shared` in an argument of `vendor()`, bundlers keep
 * the vendor even if nothing uses it.
 */
interface Facts
  extends
    Pick<Vendor, "id" | "name" | "wire" | "baseUrl" | "auth">,
    Partial<Pick<Vendor, "aliases" | "keyVariables" | "baseUrlVariable" | "quirks">> {
  /** How most servers like it differ from the wire; `quirks` win. */
  readonly dialect?: Quirks;
  /** What all its models have in common. Default: what servers of open models let pass. */
  readonly traits?: Partial<Model>;
  /** A function, because bundlers drop one that is never called: a wire alone comes without rows. */
  readonly rows?: () => readonly ModelRow[];
  /** What an id without a row is taken for. A maker marks it `assumed`; a host serves others' models. */
  readonly assume?: (id: string) => ModelRow | undefined;
}

export function vendor({ dialect, traits, rows, assume, ...facts }: Facts): Vendor {
  const variable = facts.id.toUpperCase().replaceAll("-", "_");
  const toModel = (each: ModelRow): Model => ({
    ...openTraits,
    ...traits,
    shows: each.thinking.kind === "none" ? "nothing" : (traits?.shows ?? "full"),
    ...each,
    provider: facts.id,
    wire: facts.wire,
  });
  const models = rows?.().map(toModel) ?? [];
  return {
    keyVariables: [`${variable}_API_KEY`],
    baseUrlVariable: `${variable}_BASE_URL`,
    capabilities: ["thinking", "tools", "files", "structured-output"],
    ...facts,
    ...(dialect !== undefined && { quirks: { ...dialect, ...facts.quirks } }),
    models,
    assume: (id) =>
      lookUp(id, models) ??
      assumeNamed(id, (name) => {
        const found = assume?.(name);
        return found && toModel(found);
      }),
  };
}
