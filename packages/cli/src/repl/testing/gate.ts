/** Something a test lets happen when it wants. */
export interface Gate {
  readonly open: () => void;
  readonly opened: Promise<void>;
}

export function createGate(): Gate {
  const resolvers: (() => void)[] = [];
  const opened = new Promise<void>((resolve) => {
    resolvers.push(resolve);
  });
  return { opened, open: () => resolvers[0]?.() };
}
