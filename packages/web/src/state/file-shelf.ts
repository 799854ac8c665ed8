import type { UIFilePart } from "../thread/read-turn.ts";
import { createTurns } from "./in-turn.ts";

type Files = readonly UIFilePart[];

/** Keeps files that wait for their question, also when the page is closed. */
export interface FileShelf {
  /** Those of a place, in the order they came; the same objects whenever it is asked. */
  readonly read: (place: string) => Promise<Files>;
  /** Puts files into a place, moving them from another if need be. Resolves with those that do not fit. */
  readonly put: (place: string, files: Files) => Promise<Files>;
  readonly remove: (files: Files) => Promise<void>;
  readonly has: (file: UIFilePart) => boolean;
}

interface ShelvedFile {
  readonly id: number;
  readonly place: string;
  readonly file: UIFilePart;
}

const table = "files";

/**
 * The shelf in the browser's database: its other storage ends at 5 MB for everything. A row holds
 * one file, so that two tabs of a conversation do not take each other's away.
 */
export function openFileShelf(factory: () => IDBFactory): FileShelf {
  const ids = new Map<UIFilePart, number>();
  const database = createOpener(factory);
  const use = async <T>(run: (rows: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
    const transaction = (await database()).transaction(table, "readwrite");
    const request = run(transaction.objectStore(table));
    // Nothing follows in it: the browser ends it also when the page is left in this moment.
    transaction.commit();
    await settled(transaction);
    return request.result;
  };
  // One after the other: what is removed at once may still be on its way in.
  const inTurn = createTurns();

  const put = async (place: string, file: UIFilePart): Promise<boolean> => {
    const id = ids.get(file);
    try {
      const row = { ...(id !== undefined && { id }), place, file };
      ids.set(file, Number(await use((rows) => rows.put(row))));
      return true;
    } catch {
      // Switched off by its user, or full.
      return false;
    }
  };

  const seen = ({ id, file }: ShelvedFile): UIFilePart => {
    const known = [...ids].find(([, each]) => each === id)?.[0];
    if (known === undefined) ids.set(file, id);
    return known ?? file;
  };

  return {
    has: (file) => ids.has(file),
    read: (place) =>
      inTurn(async () => {
        const rows = await use(
          (all) => all.index("place").getAll(place) as IDBRequest<ShelvedFile[]>,
        );
        return rows.map(seen);
      }).catch(() => []),
    put: (place, files) =>
      inTurn(async () => {
        const refused: UIFilePart[] = [];
        for (const file of files) if (!(await put(place, file))) refused.push(file);
        return refused;
      }),
    remove: (files) =>
      inTurn(async () => {
        for (const file of files) {
          const id = ids.get(file);
          ids.delete(file);
          if (id !== undefined) await use((rows) => rows.delete(id));
        }
      }).catch(() => undefined),
  };
}

/** Opens the database with the first use of it, and again when the browser has closed it. */
function createOpener(factory: () => IDBFactory): () => Promise<IDBDatabase> {
  let opening: Promise<IDBDatabase> | undefined;
  const forget = (): void => {
    opening = undefined;
  };
  const open = (): Promise<IDBDatabase> =>
    new Promise((resolve, reject) => {
      const request = factory().open("mull", 1);
      request.addEventListener("upgradeneeded", () => {
        const rows = request.result.createObjectStore(table, {
          keyPath: "id",
          autoIncrement: true,
        });
        rows.createIndex("place", "place");
      });
      request.addEventListener("success", () => {
        request.result.addEventListener("close", forget);
        resolve(request.result);
      });
      request.addEventListener("error", () => reject(troubleOf(request.error)));
    });
  return () => {
    opening ??= open();
    opening.catch(forget);
    return opening;
  };
}

/** What is written is kept only when its transaction has ended: a full disk shows there. */
const settled = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", () => reject(troubleOf(transaction.error)));
  });

const troubleOf = (error: DOMException | null): Error =>
  error ?? new DOMException("This browser cannot store files.", "AbortError");
