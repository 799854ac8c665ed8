import { isJsonObject, type JsonObject } from "../../../types/json.ts";
import type {
  AssistantPart,
  FilePart,
  Message,
  Origin,
  TextPart,
  ToolResultPart,
  UserPart,
} from "../../../types/message.ts";
import { valueTexts, type ValueTexts } from "../../common/value-texts.ts";
import { joinMessages } from "../../common/join-messages.ts";
import { asText, hasKeys } from "../../common/json-reading.ts";
import { objectsOf } from "../client/json-reading.ts";
import {
  callPart,
  otherPart,
  partKind,
  readExtra,
  textPart,
  thinkingPart,
  wire,
} from "../client/parts.ts";

interface OpenCall {
  readonly id: string;
  readonly name: string;
}

/** Reads `contents` as messages. Results are matched to calls by id, else by name and order. */
export function readContents(
  contents: readonly JsonObject[],
  origin: Origin,
  text: string | undefined,
): readonly Message[] {
  const open: OpenCall[] = [];
  const texts = text === undefined ? undefined : valueTexts(text, "args");
  return contents.flatMap((content, index): readonly Message[] => {
    const parts = objectsOf(content["parts"]);
    if (content["role"] !== "model") {
      const entries = parts.map((part) => readUserEntry(part, origin, open));
      return joinMessages(entries, "tool", "user");
    }
    const answer = attachSignatures(parts).map((part, at) =>
      readAnswerPart(part, `call_${index}_${at}`, origin, texts),
    );
    for (const part of answer) {
      if (part.type === "tool-call") open.push({ id: part.id, name: part.name });
    }
    return [{ role: "assistant", parts: answer }];
  });
}

/**
 * Old data keeps a signature as a part of its own. It belongs to the first unsigned call, else to
 * the last text.
 */
function attachSignatures(parts: readonly JsonObject[]): readonly JsonObject[] {
  const lone = parts.filter((part) => isLone(part));
  const data = parts.filter((part) => !isLone(part));
  for (const { thoughtSignature } of lone) {
    const call = data.findIndex((part) => "functionCall" in part && !isSigned(part));
    const at = call >= 0 ? call : data.findLastIndex((part) => "text" in part && !isSigned(part));
    if (at < 0) data.push({ text: "", thoughtSignature });
    else data[at] = { ...data[at], thoughtSignature };
  }
  return data;
}

const isSigned = (part: JsonObject): boolean => typeof part["thoughtSignature"] === "string";
const isLone = (part: JsonObject): boolean => isSigned(part) && partKind(part) === undefined;

function readAnswerPart(
  part: JsonObject,
  madeId: string,
  origin: Origin,
  texts: ValueTexts | undefined,
): AssistantPart {
  const { functionCall, text } = part;
  if (isJsonObject(functionCall)) {
    const { id, name, args } = functionCall;
    const given = typeof id === "string" && id !== "";
    const head = given ? { id } : ({ id: madeId, localId: true } as const);
    const call = callPart({ ...head, name: asText(name) }, args, part, functionCall, { origin });
    const inputText = texts?.(args);
    return inputText === undefined ? call : { ...call, inputText };
  }
  if (typeof text !== "string") return readOther(part, origin);
  const plain = withoutFalse(part);
  if (plain["thought"] !== true) return textPart(text, plain, { origin });
  // The mark says that this thought is the service's own, signed or not.
  const fields = { thought: true };
  return { extra: { wire, fields }, ...thinkingPart(text, plain, { origin }) };
}

/** `thought: false` says nothing. */
const withoutFalse = (part: JsonObject): JsonObject => {
  const { thought, ...rest } = part;
  return thought === true ? part : rest;
};

const readOther = (part: JsonObject, origin: Origin): FilePart | TextPart | UserPart =>
  otherPart(part, { origin }) ?? {
    type: "opaque",
    wire,
    kind: "",
    data: part,
  };

function readUserEntry(part: JsonObject, origin: Origin, open: OpenCall[]): Message {
  const result = part["functionResponse"];
  return isJsonObject(result)
    ? { role: "tool", parts: [readResult(part, result, open, origin)] }
    : { role: "user", parts: [readUserPart(part, origin)] };
}

function readUserPart(part: JsonObject, origin: Origin): UserPart {
  const { text } = part;
  return typeof text === "string"
    ? textPart(text, withoutFalse(part), { origin })
    : readOther(part, origin);
}

function readResult(
  part: JsonObject,
  result: JsonObject,
  open: OpenCall[],
  origin: Origin,
): ToolResultPart {
  const { id, name, response, parts, ...inner } = result;
  const callName = asText(name);
  const files = objectsOf(parts).map((file) => readOther(file, origin));
  const { text, isError, isPlain } = readResponse(response);
  const { functionResponse: _, ...beside } = part;
  const unknown = isPlain ? inner : { ...inner, response };
  const fields = {
    ...beside,
    ...(hasKeys(unknown) && { functionResponse: unknown }),
  };
  return {
    type: "tool-result",
    callId: takeCall(open, id, callName),
    name: callName,
    output: files.length === 0 ? text : [{ type: "text", text }, ...files.filter(isFile)],
    ...(isError && { isError }),
    ...readExtra(fields, () => false),
  };
}

const isFile = (part: { readonly type: string }): part is FilePart => part.type === "file";

interface Response {
  readonly text: string;
  readonly isError: boolean;
  /** Written back from the text alone. */
  readonly isPlain: boolean;
}

function readResponse(response: JsonObject[string]): Response {
  const entries = isJsonObject(response) ? Object.entries(response) : [];
  const [[key, value] = []] = entries.length === 1 ? entries : [];
  const isError = key === "error";
  if (typeof value === "string" && (isError || key === "output")) {
    return { text: value, isError, isPlain: true };
  }
  return { text: JSON.stringify(response ?? {}), isError, isPlain: false };
}

/** The call a result answers: the oldest open one of its id or, without an id, of its name. */
function takeCall(open: OpenCall[], id: JsonObject[string], name: string): string {
  if (typeof id === "string" && id !== "") {
    const at = open.findIndex((call) => call.id === id);
    if (at >= 0) open.splice(at, 1);
    return id;
  }
  const at = open.findIndex((call) => call.name === name);
  const [call] = at >= 0 ? open.splice(at, 1) : [];
  return call?.id ?? `call_${name}`;
}
