/** Names for repeated statements, so that an engine plans them once. */
export interface PreparedNames {
  /**
   * The same name for the same text; `undefined` if a statement isn't worth it or there are too
   * many.
   */
  readonly nameOf: (text: string) => string | undefined;
  /** Everything prepared is gone; new statements get other names. */
  readonly forget: () => void;
}

/** Statements whose text depends on the request must not fill the engine. */
const mostNames = 200;

const isRepeated = (text: string): boolean =>
  /^\s*(?:select|insert|update|delete|with|begin|commit|rollback)\b/i.test(text);

export function createPreparedNames(): PreparedNames {
  const names = new Map<string, string>();
  let given = 0;
  return {
    nameOf: (text) => {
      const known = names.get(text);
      if (known !== undefined || names.size >= mostNames || !isRepeated(text)) return known;
      const name = `mull_${given++}`;
      names.set(text, name);
      return name;
    },
    forget: () => names.clear(),
  };
}
