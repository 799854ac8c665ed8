/** Names for statements that come again and again, so that an engine plans them once. */
export interface PreparedNames {
  /** The same for the same text; nothing for one that is not worth it, or one too many. */
  readonly nameOf: (text: string) => string | undefined;
  /** What was prepared is gone; what comes now gets other names. */
  readonly forget: () => void;
}

/** Statements whose text depends on what is asked for must not fill the engine. */
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
