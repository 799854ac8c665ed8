/** A message's id and its parent's. */
export interface Link {
  readonly id: string;
  readonly parentId: string | null;
}

/**
 * The messages from the first to `end`, in the order they are given. A missing parent starts the
 * branch; a missing `end` gives no messages.
 */
export function branchOf<T extends Link>(all: readonly T[], end: string): readonly T[] {
  const parents = new Map(all.map(({ id, parentId }) => [id, parentId]));
  const ids = new Set<string>();
  // Visit each message once: parents that somebody edited by hand may form a cycle.
  for (let id: string | null = end; id !== null && parents.has(id) && !ids.has(id);) {
    ids.add(id);
    id = parents.get(id) ?? null;
  }
  return all.filter(({ id }) => ids.has(id));
}
