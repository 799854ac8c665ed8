/** A message as far as a fork looks at it. */
export interface ForkedMessage {
  readonly id: string;
  readonly turnId: string | null;
}

/** A turn and the question it answers. */
export interface ForkedTurn {
  readonly id: string;
  readonly messageId: string;
}

export interface ForkPlan {
  readonly messages: readonly {
    readonly source: string;
    readonly id: string;
    readonly parentId: string | null;
    readonly turnId: string | null;
  }[];
  readonly turns: readonly {
    readonly source: string;
    readonly id: string;
    readonly messageId: string;
  }[];
  readonly head: string | null;
}

/**
 * Which rows a fork copies, and under which ids. Turns come along with their messages; silent turns
 * with the question they are shown under. A question at the end becomes open again.
 */
export function planFork(
  branch: readonly ForkedMessage[],
  all: readonly ForkedMessage[],
  turns: readonly ForkedTurn[],
  newId: () => string,
): ForkPlan {
  const messageIds = new Map(branch.map(({ id }) => [id, newId()]));
  const questionOf = new Map(turns.map(({ id, messageId }) => [id, messageId]));
  const speakers = (list: readonly ForkedMessage[]): ReadonlySet<string | null> =>
    new Set(
      list.flatMap(({ id, turnId }) =>
        turnId !== null && questionOf.get(turnId) !== id ? [turnId] : [],
      ),
    );
  const [heard, everHeard] = [speakers(branch), speakers(all)];
  const end = branch.at(-1)?.id;
  const copied = turns.filter(
    ({ id, messageId }) =>
      messageIds.has(messageId) && (heard.has(id) || (!everHeard.has(id) && messageId !== end)),
  );
  const turnIds = new Map(copied.map(({ id }) => [id, newId()]));
  const idAt = (index: number): string | null => messageIds.get(branch.at(index)?.id ?? "") ?? null;
  return {
    messages: branch.map(({ id, turnId }, index) => ({
      source: id,
      id: messageIds.get(id)!,
      parentId: index === 0 ? null : idAt(index - 1),
      turnId: turnIds.get(turnId ?? "") ?? null,
    })),
    turns: copied.map(({ id, messageId }) => ({
      source: id,
      id: turnIds.get(id)!,
      messageId: messageIds.get(messageId)!,
    })),
    head: branch.length === 0 ? null : idAt(-1),
  };
}
