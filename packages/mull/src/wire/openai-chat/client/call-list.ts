import type { JsonObject, JsonValue } from "../../../types/json.ts";
import type { AssistantPart } from "../../../types/message.ts";
import type { DecodeContext } from "../../../types/wire.ts";
import { cutCall } from "../../common/answer.ts";
import type { Blocks, Fail } from "./blocks.ts";
import {
  callPart,
  isRepeated,
  openCall,
  readCallEntry,
  type CallDelta,
  type CallDraft,
} from "./calls.ts";

/**
 * The tool calls of a message while it arrives. All stay open to the end, since servers interleave
 * their pieces.
 */
export interface CallList {
  readonly read: (entry: JsonValue) => void;
  /** More arguments for the call that was last begun at this index. */
  readonly continue: (index: number, delta: string) => void;
  readonly sealFirst: (seal: JsonObject) => boolean;
  readonly close: () => void;
  readonly cutInto: (snapshot: (AssistantPart | undefined)[]) => void;
}

export function createCallList(
  blocks: Blocks,
  context: DecodeContext,
  isStream: boolean,
  fail: Fail,
): CallList {
  const calls: CallDraft[] = [];
  const byIndex = new Map<number, CallDraft>();

  const announce = (draft: CallDraft): void => {
    draft.announced = true;
    const { index, id, name } = draft;
    blocks.emit({ type: "tool-call", index, id, name });
    if (draft.input !== "") blocks.emit({ type: "tool-input", index, delta: draft.input });
  };

  const input = (draft: CallDraft, delta: string): void => {
    draft.input += delta;
    if (!draft.announced) {
      if (draft.name !== "") announce(draft);
    } else if (delta !== "") blocks.emit({ type: "tool-input", index: draft.index, delta });
  };

  const begin = (delta: CallDelta): CallDraft => {
    blocks.closeOpen();
    const draft: CallDraft = {
      index: blocks.reserve(),
      given: delta.id,
      id: delta.id || context.newId(),
      name: "",
      input: "",
      custom: delta.custom,
      announced: false,
    };
    calls.push(draft);
    if (delta.index !== undefined) byIndex.set(delta.index, draft);
    return draft;
  };

  const read = (entry: JsonValue): void => {
    const delta = readCallEntry(entry);
    if (delta === undefined) return;
    const draft = (isStream ? openCall(delta, calls, byIndex, fail) : undefined) ?? begin(delta);
    if (draft.name === "") draft.name = delta.name;
    if (delta.seal !== undefined) draft.seal = delta.seal;
    if (delta.extra !== undefined) draft.extra = delta.extra;
    if (!isRepeated(draft, delta)) input(draft, delta.input);
  };

  return {
    read,
    continue: (index, delta) => {
      const draft = byIndex.get(index);
      if (draft !== undefined) input(draft, delta);
      else read({ index, function: { arguments: delta } });
    },
    sealFirst: (seal) => {
      const draft = calls.find((call) => call.seal === undefined);
      if (draft !== undefined) draft.seal = seal;
      return draft !== undefined;
    },
    close: () => {
      for (const draft of calls) {
        if (!draft.announced) announce(draft);
        blocks.place(draft.index, callPart(draft, context));
      }
    },
    cutInto: (snapshot) => {
      for (const { index, id, name, given, input: raw } of calls)
        snapshot[index] ??= cutCall({ id, name, ...(given === "" && { localId: true }) }, raw);
    },
  };
}
