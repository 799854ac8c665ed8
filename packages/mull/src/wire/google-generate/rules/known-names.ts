import type { JsonObject } from "../../../types/json.ts";
import type { Rule } from "../../../types/rule.ts";
import {
  bracketPath,
  findStrays,
  readNames,
  type Stray,
  withoutStrays,
} from "../../common/known-names.ts";
import { makeRule } from "./rule-kit.ts";
import { camelName } from "./settings.ts";
import { snake, unknownName } from "./structure.ts";

/**
 * What a request may name below its top: the parameter types of Google's SDK, and everything seen
 * accepted. Schemas and generationConfig have rules of their own.
 */
const namesText = `body contents:content systemInstruction:content tools:tool toolConfig:toolConfig safetySettings:safety generationConfig cachedContent serviceTier labels store continuationToken model modelArmorConfig
content role parts:part
part text thought thoughtSignature functionCall:call functionResponse:response inlineData:blob fileData:file executableCode:code codeExecutionResult:outcome toolCall:toolCall toolResponse:toolResponse audioTranscription mediaProcessing mediaResolution partMetadata speechMetadata videoMetadata
call args id name partialArgs willContinue
response id name parts:responsePart response scheduling willContinue
responsePart fileData:file inlineData:blob mediaProcessing
blob data displayName mimeType
file displayName fileUri mimeType
code code id language
outcome id outcome output
toolCall args id toolType
toolResponse id response toolType
tool retrieval googleMaps mcpServers codeExecution computerUse enterpriseWebSearch exaAiSearch functionDeclarations:declaration googleSearch googleSearchRetrieval parallelAiSearch urlContext fileSearch
declaration behavior description name parameters parametersJsonSchema response responseJsonSchema
toolConfig functionCallingConfig:calling retrievalConfig includeServerSideToolInvocations
calling allowedFunctionNames mode streamFunctionCallArguments
safety category method threshold`;

export function nameRules(): readonly Rule[] {
  const names = readNames(namesText);
  const straysIn = (body: JsonObject): readonly Stray[] =>
    findStrays(names, body, { spell: camelName }).filter(({ path }) => path.length > 0);
  return [
    makeRule({
      id: "google/unknown-name",
      summary: "Contents, parts and tools have no field the service does not know.",
      check: ({ body }) =>
        straysIn(body).map(({ path, field = "" }) => unknownName(field, bracketPath(path, snake))),
      repairSummary: "Leaves the unknown fields out.",
      repair: (body) => withoutStrays(body, straysIn(body)),
    }),
  ];
}
