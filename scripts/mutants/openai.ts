import type { Mutant } from "./mutant.ts";

export const openaiMutants: readonly Mutant[] = [
  {
    name: "Responses: a summary is asked for at auto",
    requirement: "R63 R77",
    file: "mull/src/wire/openai-responses/client/thinking.ts",
    find: 'show === false || ((setting.type === "default" || isOmitted(setting)) && show === "auto")',
    put: "show === false",
  },
  {
    name: "Responses: the system prompt is lost",
    requirement: "R67",
    file: "mull/src/wire/openai-responses/client/encode.ts",
    find: '...(instructions !== "" && { instructions }),',
    put: "",
  },
  {
    name: "Responses: temperature is dropped",
    requirement: "R176",
    file: "mull/src/wire/openai-responses/client/encode.ts",
    find: "...(temperature !== undefined && { temperature }),",
    put: "",
  },
  {
    name: "Responses: reasoning_content is text",
    requirement: "R102 R113 R343",
    file: "mull/src/wire/openai-responses/client/parts.ts",
    find: 'if (type === "reasoning_content" || type === "reasoning_text") {',
    put: 'if (type === "never") {',
  },
  {
    name: "Responses: reasoning items are opaque",
    requirement: "R103 R104 R114 R138",
    file: "mull/src/wire/openai-responses/client/parts.ts",
    find: '    case "reasoning":\n      return [thinkingPart(item, context)];\n',
    put: "",
  },
  {
    name: "Responses: output_text is opaque",
    requirement: "R216",
    file: "mull/src/wire/openai-responses/client/parts.ts",
    find: '(type === "output_text" || type === "text") && typeof text',
    put: '(type === "text") && typeof text',
  },
  {
    name: "Chat: no effort is written",
    requirement: "R70",
    file: "mull/src/wire/openai-chat/client/thinking.ts",
    find: "if (words.isSet) writers[knob](words, fields, quirks ?? {});",
    put: "",
  },
  {
    name: "Chat: effort stands beside tools",
    file: "mull/src/wire/openai-chat/client/thinking.ts",
    find: "if (quirks?.knob === undefined && hasTools && refusesEffortWithTools(model.id)) {",
    put: "if (model.id === '') {",
    tests: ["packages/mull/src/wire/openai-chat/client/encode.test.ts"],
  },
  {
    name: "Chat: output contains reasoning",
    requirement: "R129 to R132 R140 R346",
    file: "mull/src/wire/common/openai-usage.ts",
    find: "output = completion - thinking;",
    put: "output = completion;",
  },
  {
    name: "Chat: more than four stop sequences go out",
    file: "mull/src/wire/openai-chat/client/encode.ts",
    find: "isOpenai ? stopSequences?.slice(0, mostStops) : stopSequences",
    put: "stopSequences",
    tests: [
      "packages/mull/src/wire/openai-chat/client/encode.test.ts",
      "packages/mull/src/wire/openai-chat/client/error.test.ts",
    ],
  },
  {
    name: "Chat: usage is not asked for",
    requirement: "R69 R71 R78",
    file: "mull/src/wire/openai-chat/client/encode.ts",
    find: "{ stream_options: { include_usage: true } }",
    put: "{}",
  },
];
