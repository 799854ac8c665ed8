import { levels, type Level } from "mull";
import { ApiError, wordsOf, type Choice } from "../api.ts";
import type { OfferedModel } from "../dial/list-models.ts";
import { emptyThread } from "./app-state.ts";
import { setNotice, type StateParts } from "./parts.ts";

export interface SessionActions {
  readonly start: () => Promise<void>;
  /** Resolve with what went wrong, in words. */
  readonly signIn: (name: string, password: string) => Promise<string | undefined>;
  readonly signUp: (name: string, password: string) => Promise<string | undefined>;
  readonly signOut: () => Promise<void>;
}

export function createSessionActions(
  parts: StateParts,
  enter: () => Promise<void>,
): SessionActions {
  const { api, box, storage } = parts;

  const loadModels = async (): Promise<void> => {
    const list = await api.models();
    const models: readonly OfferedModel[] = list.providers.flatMap((provider) =>
      provider.models.map(({ id }) => ({
        ref: `${provider.id}:${id}`,
        isSimulated: provider.simulated,
      })),
    );
    const refs = new Set(models.map(({ ref }) => ref));
    const kept = readChoice(storage.getItem("mull.choice"));
    const choice = kept !== undefined && refs.has(kept.model) ? kept : list.default;
    const simulated = list.providers.filter((provider) => provider.simulated);
    const variables = simulated.flatMap((provider) => provider.keyVariables.slice(0, 1));
    const keyVariables = [...new Set(variables)].slice(0, 3);
    box.set((before) => ({ ...before, models, keyVariables, choice }));
  };

  const welcome = async (name: string): Promise<void> => {
    storage.setItem("mull.user", name);
    await loadModels();
    box.set((before) => ({ ...before, phase: "ready", userName: name }));
    await enter();
  };

  const attempt = async (
    enterWith: Promise<{ readonly name: string }>,
  ): Promise<string | undefined> => {
    try {
      await welcome((await enterWith).name);
      return undefined;
    } catch (error) {
      return wordsOf(error);
    }
  };

  const start = async (): Promise<void> => {
    try {
      await welcome((await api.whoAmI()).name);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        storage.removeItem("mull.user");
        box.set((before) => ({ ...before, phase: "signed-out", userName: undefined }));
        return;
      }
      const action = { label: "Try again", run: () => void start() };
      setNotice(box, { text: wordsOf(error), isTrouble: true, action });
    }
  };

  return {
    start,
    signIn: (name, password) => attempt(api.signIn(name, password)),
    signUp: (name, password) => attempt(api.signUp(name, password)),
    signOut: async () => {
      await api.signOut().catch(() => undefined);
      storage.removeItem("mull.user");
      box.set((before) => ({
        ...before,
        phase: "signed-out",
        userName: undefined,
        layer: undefined,
        thread: emptyThread,
        list: { ...before.list, conversations: [], isLoaded: false },
      }));
    },
  };
}

function readChoice(text: string | null): Choice | undefined {
  try {
    const { model, level } = JSON.parse(text ?? "{}") as { model?: unknown; level?: unknown };
    return typeof model === "string" && isLevel(level) ? { model, level } : undefined;
  } catch {
    return undefined;
  }
}

const isLevel = (value: unknown): value is Level => (levels as readonly unknown[]).includes(value);
