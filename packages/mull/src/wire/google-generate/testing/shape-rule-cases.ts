import { type Case, call, declares, hello, result, sig, vertex } from "./rule-input.ts";

export const shapeCases: readonly Case[] = [
  {
    rule: "google/model-not-found",
    model: "gemini-3-pro",
    body: {},
    path: "model",
    message: "models/gemini-3-pro is not found",
  },
  {
    rule: "google/model-not-found",
    model: "gemini-2.5-pro-exp-03-25",
    body: {},
    path: "model",
    message: "models/gemini-2.5-pro-exp-03-25 is not found",
  },
  {
    rule: "google/model-not-found",
    model: "gemini-3-flash",
    body: {},
    input: { path: "odd" },
    path: "model",
    message: "models/gemini-3-flash is not found",
  },
  {
    rule: "google/model-not-found",
    model: "nobodys-model",
    body: {},
    path: "model",
    message: "models/nobodys-model is not found",
  },
  {
    rule: "google/model-unlisted",
    model: "gemini-9-neon",
    body: {},
    path: "model",
    message: "models/gemini-9-neon is not in the catalogue.",
  },
  {
    rule: "google/credentials",
    body: {},
    input: { headers: { "x-goog-api-key": "k", authorization: "Bearer t" } },
    path: "headers.authorization",
    message: "Multiple authentication credentials received.",
  },
  {
    rule: "google/unknown-field",
    body: { max_tokens: 5 },
    path: "max_tokens",
    message: 'Invalid JSON payload received. Unknown name "max_tokens": Cannot find field.',
  },
  {
    rule: "google/unknown-name",
    body: {
      contents: [
        { role: "user", parts: [{ text: "Hi", inline_data: { mime_type: "x", type: 1 } }] },
      ],
    },
    path: "contents[0].parts[0].inline_data.type",
    message:
      "Invalid JSON payload received. Unknown name \"type\" at 'contents[0].parts[0].inline_data': Cannot find field.",
  },
  {
    rule: "google/unknown-name",
    body: {
      contents: [{ role: "user", parts: [{ text: "Hi" }] }],
      tools: { functionDeclarations: [{ name: "f", strict: true }] },
    },
    path: "tools.function_declarations[0].strict",
    message:
      "Invalid JSON payload received. Unknown name \"strict\" at 'tools.function_declarations[0]': Cannot find field.",
  },
  {
    rule: "google/unknown-setting",
    body: { generationConfig: { thinkingLevel: "LOW", max_output_tokens: 5 } },
    path: "generation_config.thinkingLevel",
    message:
      "Invalid JSON payload received. Unknown name \"thinkingLevel\" at 'generation_config': Cannot find field.",
  },
  {
    rule: "google/unknown-setting",
    body: { generation_config: { thinking_config: { effort: "low", include_thoughts: true } } },
    path: "generation_config.thinking_config.effort",
    message: "Unknown name \"effort\" at 'generation_config.thinking_config': Cannot find field.",
  },
  {
    rule: "google/answer-type",
    body: { generationConfig: { responseMimeType: "image/png" } },
    path: "generation_config.response_mime_type",
    message: "allowed mimetypes are `text/plain`, `application/json`, `application/xml`",
  },
  {
    rule: "google/system-instruction",
    body: { system_instruction: "Be brief." },
    path: "system_instruction",
    message:
      "Invalid value at 'system_instruction' (type.googleapis.com/google.ai.generativelanguage.v1beta.Content), \"Be brief.\"",
  },
  {
    rule: "google/functions-beside-built-in",
    body: { tools: [{ google_search: {} }, { functionDeclarations: [{ name: "f" }] }] },
    path: "tool_config.include_server_side_tool_invocations",
    message: "Please enable tool_config.include_server_side_tool_invocations to use Built-in tools",
  },
  {
    rule: "google/contents-required",
    body: { contents: [] },
    path: "contents",
    message: "contents is not specified",
  },
  {
    rule: "google/role",
    body: {
      contents: [
        { role: "assistant", parts: [{ text: "a" }] },
        { role: "tool", parts: [{ text: "a" }] },
      ],
    },
    path: "contents[0].role",
    message: "Please use a valid role: user, model.",
  },
  {
    rule: "google/parts-required",
    body: { contents: [{ role: "user" }, hello] },
    path: "contents[0].parts",
    message: "contents.parts must not be empty",
  },
  {
    rule: "google/parts-required",
    body: { contents: { role: "user", parts: [{ text: "a" }, { text: null }] } },
    path: "contents[0].parts[1]",
    message: "required oneof field 'data' must have one initialized field",
  },
  {
    rule: "google/parts-required",
    body: { contents: [{ role: "user", parts: [{ text: "a" }, { thought: true }] }] },
    path: "contents[0].parts[1]",
    message: "required oneof field 'data' must have one initialized field",
  },
  {
    rule: "google/call-id-on-vertex",
    parent: vertex,
    body: { contents: [hello, call(sig, { id: "x" }), result({ id: "x" })] },
    path: "contents[1].parts[0].function_call.id",
    message: "Unknown name \"id\" at 'contents[1].parts[0].function_call': Cannot find field.",
  },
  {
    rule: "google/tool-config-without-tools",
    body: { tool_config: { function_calling_config: { mode: "AUTO" } } },
    path: "tool_config.function_calling_config",
    message: "Function calling config is set without function_declarations.",
  },
  {
    rule: "google/tool-config-without-tools",
    body: { toolConfig: { functionCallingConfig: { mode: "AUTO" }, retrievalConfig: {} } },
    path: "tool_config.function_calling_config",
    message: "Function calling config is set",
  },
  {
    rule: "google/function-name",
    body: declares({ name: "1st" }),
    path: "tools[0].function_declarations[0].name",
    message: "Invalid function name.",
  },
  {
    rule: "google/function-declared-twice",
    body: declares({ name: "f" }, { name: "f" }),
    path: "tools[0].function_declarations[1]",
    message: "Duplicate function declaration found: f",
  },
  {
    rule: "google/function-schema-twice",
    body: {
      tools: [
        {
          functionDeclarations: [
            { name: "f", parameters: {}, parametersJsonSchema: {} },
            { name: "g" },
          ],
        },
        { googleSearch: {} },
      ],
    },
    path: "tools[0].function_declarations[0]",
    message: "mutually exclusive",
  },
  {
    rule: "google/function-schema-keyword",
    body: {
      tools: {
        functionDeclarations: [
          { name: "f", parameters: { type: "OBJECT", additionalProperties: false } },
          { name: "g" },
        ],
      },
    },
    path: "tools.function_declarations[0].parameters.additionalProperties",
    message:
      "Unknown name \"additionalProperties\" at 'tools.function_declarations[0].parameters': Cannot find field.",
  },
  {
    rule: "google/function-schema-keyword",
    body: declares({ name: "f", parameters: { properties: { a: { items: { const: 1 } } } } }),
    path: "tools[0].function_declarations[0].parameters.properties[0].value.items.const",
    message: 'Unknown name "const"',
  },
  {
    rule: "google/function-schema-items",
    body: declares({
      name: "f",
      parameters: { type: "OBJECT", properties: { a: { items: {} }, b: { type: "ARRAY" } } },
    }),
    path: "tools[0].function_declarations[0].parameters.properties[b].items",
    message: "parameters.properties[b].items: missing field.",
  },
  {
    rule: "google/json-with-functions",
    model: "gemini-2.5-flash",
    body: {
      ...declares({ name: "f" }),
      generationConfig: { responseMimeType: "application/json", responseJsonSchema: {} },
    },
    path: "generation_config.response_mime_type",
    message: "Function calling with a response mime type: 'application/json' is unsupported",
  },
  {
    rule: "google/penalty",
    body: { generationConfig: { frequencyPenalty: 1 } },
    path: "generation_config.frequency_penalty",
    message: "Penalty is not enabled for models/gemini-3.8-flash",
  },
  {
    rule: "google/penalty",
    model: "gemini-2.5-flash",
    body: { generation_config: { presence_penalty: 1 } },
    path: "generation_config.presence_penalty",
    message: "Penalty is not enabled",
  },
  {
    rule: "google/sampling-range",
    body: { generationConfig: { topP: -1 } },
    path: "generation_config.top_p",
    message: "top_p must be in the range [0.0, 1.0].",
  },
  {
    rule: "google/sampling-range",
    body: { generationConfig: { temperature: 3, topP: 2, seed: 1 } },
    path: "generation_config.temperature",
    message: "temperature must be in the range [0.0, 2.0].",
  },
  {
    rule: "google/candidate-count",
    body: { generationConfig: { candidateCount: 2 } },
    path: "generation_config.candidate_count",
    message: "Multiple candidates is not enabled for this model",
  },
  {
    rule: "google/candidate-count",
    model: "gemini-2.5-flash",
    body: { generation_config: { candidate_count: 9 } },
    path: "generation_config.candidate_count",
    message: "a candidateCount value of 9 but the supported range is from 1 (inclusive) to 9",
  },
  {
    rule: "google/candidate-count",
    model: "gemini-2.5-flash",
    body: { generationConfig: { candidateCount: 2 } },
    input: { path: "/v1beta/models/gemini-2.5-flash:streamGenerateContent" },
    path: "generation_config.candidate_count",
    message: "Only one candidate can be specified",
  },
  {
    rule: "google/logprobs",
    body: { generationConfig: { responseLogprobs: true, logprobs: 3 } },
    path: "generation_config.response_logprobs",
    message: "Logprobs is not enabled for this model",
  },
  {
    rule: "google/logprobs",
    parent: vertex,
    body: { generation_config: { response_logprobs: true } },
    path: "generation_config.response_logprobs",
    message: "Logprobs is not supported for this model.",
  },
  {
    rule: "google/base64",
    body: {
      contents: [
        {
          role: "user",
          parts: [{ inlineData: { mimeType: "image/png", data: "data:image/png;base64,AAAA" } }],
        },
      ],
    },
    path: "contents[0].parts[0].inline_data.data",
    message:
      "Invalid value at 'contents[0].parts[0].inline_data.data' (TYPE_BYTES), Base64 decoding failed for \"data:image/png;base64,AAAA\"",
  },
  {
    rule: "google/number",
    body: { generationConfig: { topP: "high" } },
    path: "generation_config.top_p",
    message: "Invalid value at 'generation_config.top_p' (TYPE_FLOAT), \"high\"",
  },
  {
    rule: "google/number",
    body: { generationConfig: { maxOutputTokens: 1.5, topK: 1.5, seed: "" } },
    path: "generation_config.max_output_tokens",
    message: "Invalid value at 'generation_config.max_output_tokens' (TYPE_INT32), 1.5",
  },
];
