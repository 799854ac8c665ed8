import { levels } from "mull";
import type { Choice } from "../api.ts";
import { filesOf } from "./files.ts";
import { keepDraft, sayTrouble, setNotice, type StateParts } from "./parts.ts";

export interface CompareActions {
  /** Asks them all, and shows their answers side by side. Rejects if none could be asked. */
  readonly ask: (question: string, choices: readonly Choice[]) => Promise<void>;
  /** Goes on with one, and deletes the others. */
  readonly keep: (id: string, others: readonly string[]) => Promise<void>;
}

/** `high gpt-6-sol · ` before a title says nothing once one is left. */
const plainTitle = (title: string): string =>
  title.replace(new RegExp(`^(?:${levels.join("|")}) \\S+ · `), "");

export function createCompareActions(
  parts: StateParts,
  showCompared: (ids: readonly string[]) => void,
  refreshList: () => Promise<void>,
): CompareActions {
  const { api, box } = parts;
  return {
    ask: async (question, choices) => {
      const { thread, draft } = box.get();
      const asked = [...filesOf(box.get()), { type: "text" as const, text: question }];
      const columns = await api.compare(thread.conversation?.id, asked, choices);
      if (draft.trim() === question.trim()) keepDraft(parts, "");
      const refused = columns.flatMap((column) => column.refused ?? []);
      showCompared(columns.flatMap(({ conversation }) => conversation?.id ?? []));
      if (refused.length > 0) {
        setNotice(box, { text: `Some could not be asked: ${refused[0]}`, isTrouble: true });
      }
      void refreshList();
    },
    keep: async (id, others) => {
      const { title } = (await api.load(id)).conversation;
      await api.change(id, { title: plainTitle(title) });
      parts.setAddress(id);
      // The one that is kept is shown in any case; what is not deleted stays in the list.
      await Promise.all(others.map((other) => api.remove(other))).catch((error: unknown) =>
        sayTrouble(box, error),
      );
      await refreshList();
    },
  };
}
