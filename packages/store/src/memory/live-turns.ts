import type { LiveTurns, TextPiece, TurnPlace } from "../turn/live-turns.ts";
import { toStored, turnOf, type MemoryContext, type TurnRow } from "./data.ts";

export function memoryLiveTurns(context: MemoryContext): LiveTurns {
  const { data, owner } = context;
  return {
    async storeTexts(pieces) {
      const lost = new Set<string>();
      for (const piece of pieces) {
        const turn = data.turns.get(piece.turnId);
        if (turn?.value.state !== "running" || turn.value.owner !== owner) lost.add(piece.turnId);
        else turn.texts = [...turn.texts.filter((each) => !isSame(each, piece)), piece];
      }
      return [...lost];
    },

    readNews: async (places) =>
      places.flatMap((place) => {
        const turn = data.turns.get(place.turnId);
        return turn?.userId === place.userId ? [newsOf(context, turn, place)] : [];
      }),

    async askToStop(userId, turnId) {
      data.stops.set(turnId, turnOf(context, userId, turnId).value.owner);
    },

    async hearStops(stop) {
      for (const [turnId, runner] of data.stops) {
        if (runner !== owner) continue;
        stop(turnId);
        data.stops.delete(turnId);
      }
    },
  };
}

const isSame = (one: TextPiece, other: TextPiece): boolean =>
  one.step === other.step && one.block === other.block && one.start === other.start;

function newsOf({ data }: MemoryContext, turn: TurnRow, place: TurnPlace) {
  const { id, messageId, conversationId } = turn.value;
  const messages = data.conversations.get(conversationId)?.messages ?? [];
  return {
    turn: turn.value,
    messages: messages
      .filter((each) => each.turnId === id && each.id !== messageId)
      .filter(({ createdAt }) => createdAt > place.message)
      .map(toStored),
    entries: turn.draft.filter(({ seq }) => seq > place.entry),
    texts: turn.texts.filter(
      ({ step, block, start }) =>
        step > place.step ||
        (step === place.step &&
          (block > place.block || (block === place.block && start >= place.start))),
    ),
  };
}
