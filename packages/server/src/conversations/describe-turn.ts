import type { JsonObject } from "mull";
import type { Turn } from "@mull/store";

/** What the page learns of a turn beside its parts: `metadata` of the UI message. */
export const describeTurn = (turn: Turn): JsonObject => ({
  turnId: turn.id,
  messageId: turn.messageId,
  state: turn.state,
  startedAt: turn.startedAt,
  ...(turn.endedAt !== undefined && { endedAt: turn.endedAt }),
  ...pick(turn.info, ["model", "level", "isSimulated"]),
  ...(turn.usage !== undefined && { usage: { ...turn.usage, raw: undefined } }),
  ...(turn.cost !== undefined && { cost: turn.cost }),
  ...(turn.error !== undefined && { error: turn.error }),
  ...(turn.receipt?.["finish"] !== undefined && { finish: turn.receipt["finish"] }),
});

const pick = (source: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (name in source ? [[name, source[name]]] : [])));
