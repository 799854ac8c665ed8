import { mirrors } from "mull/wire";
import { rulesOf } from "mull/rules";

import { newId } from "../world/ids.ts";
import { refuseLogprobs, wholeCandidates } from "./candidates.ts";
import { arrayFrames, windowsFrames } from "./frames.ts";
import { isReadable, sealGoogle, verifyGoogle } from "./google-seals.ts";
import { listIn, objectIn, type Ending, type Service } from "./service.ts";

const finishWords: Readonly<Record<Ending, string>> = {
  stop: "STOP",
  "tool-calls": "STOP",
  length: "MAX_TOKENS",
  "content-filter": "SAFETY",
  refusal: "PROHIBITED_CONTENT",
  pause: "CONTINUATION",
};

export const google: Service = {
  wire: "google-generate",
  mirror: mirrors["google-generate"],
  rules: rulesOf("google-generate"),
  check: refuseLogprobs,
  verifySeal: verifyGoogle,
  newReplyId: (world) => newId.googleResponse(world.random),
  shows: ({ body }) => {
    const config = objectIn(objectIn(body["generationConfig"])["thinkingConfig"]);
    return (config["includeThoughts"] ?? config["include_thoughts"]) === true;
  },
  thinksBetweenTools: ({ model }) => model.thinking.kind !== "none",
  seal: sealGoogle,
  writes: isReadable,
  finish: (reason) => ({ reason, raw: finishWords[reason] }),
  prompt: (body) => ({
    pieces: [body["systemInstruction"] ?? body["system_instruction"], body["tools"]],
    messages: listIn(body["contents"]),
  }),
  wholeChoices: wholeCandidates,
  frame: (events, query, position) =>
    query.get("alt") === "sse"
      ? { contentType: "text/event-stream", texts: windowsFrames(events) }
      : { contentType: "application/json; charset=UTF-8", texts: arrayFrames(events, position) },
};
