import type { AssistantPart, JsonValue } from "mull";

export interface SealView {
  /** Position of the part in the answer. */
  readonly part: number;
  readonly kind: string;
  readonly value: string;
}

/** Names under which services hide what only they can read. */
const sealedNames: ReadonlySet<string> = new Set([
  "signature",
  "redacted",
  "encrypted_content",
  "thoughtSignature",
  "thought_signature",
  "reasoning_opaque",
]);

/** Every opaque value of an answer, in order, byte for byte. */
export const sealsOf = (parts: readonly AssistantPart[]): readonly SealView[] =>
  parts.flatMap((part, index) =>
    (part.type === "opaque" && part.seal === undefined
      ? compactionOf(part.data)
      : [...valuesIn(part.seal?.data)]
    ).map(([kind, value]) => ({ part: index, kind, value })),
  );

type NamedSeal = readonly [kind: string, value: string];

const compactionOf = (data: {
  readonly [key: string]: JsonValue | undefined;
}): readonly NamedSeal[] =>
  typeof data["encrypted_content"] === "string" ? [["compaction", data["encrypted_content"]]] : [];

function* valuesIn(value: JsonValue | undefined): Generator<NamedSeal> {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) yield* valuesIn(item);
    return;
  }
  const object = value as { readonly [key: string]: JsonValue | undefined };
  for (const [name, inner] of Object.entries(object)) {
    const isSealed = sealedNames.has(name) || (name === "data" && isEncrypted(object));
    if (typeof inner !== "string") yield* valuesIn(inner);
    else if (isSealed && inner !== "") yield [name === "data" ? "encrypted" : name, inner];
  }
}

const isEncrypted = (object: { readonly [key: string]: JsonValue | undefined }): boolean =>
  object["type"] === "reasoning.encrypted";
