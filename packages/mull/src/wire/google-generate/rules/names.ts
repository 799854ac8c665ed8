import { cheap, type RuleFault, type RuleTable } from "../../common/rules/define-rule.ts";
import {
  bracketPath,
  leavingOut,
  makeNameFinder,
  type Stray,
} from "../../common/rules/known-names.ts";
import { snake, unknownName } from "./view.ts";

/**
 * The names a request may have: the parameter types of Google's SDK, for the Gemini API and Vertex together,
 * and what the services were seen to accept. Schemas have rules of their own.
 */
const namesText = `body contents:content systemInstruction:content tools:tool toolConfig:toolConfig safetySettings:safety generationConfig:config cachedContent serviceTier labels store continuationToken model modelArmorConfig
config audioTimestamp audioTranscriptionConfig candidateCount enableAffectiveDialog enableEnhancedCivicAnswers frequencyPenalty imageConfig logprobs maxOutputTokens mediaResolution modelConfig modelSelectionConfig presencePenalty responseFormat responseJsonSchema responseLogprobs responseMimeType responseModalities responseSchema routingConfig seed speechConfig stopSequences temperature thinkingConfig:thinking topK topP translationConfig
thinking includeThoughts thinkingBudget thinkingLevel
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

const camelName = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const isSetting = ({ path: [first] }: Stray): boolean =>
  first !== undefined && "field" in first && camelName(first.field) === "generationConfig";

const faultOf = ({ path, field = "" }: Stray): RuleFault =>
  unknownName(field, bracketPath(path, snake));

export function nameRules(): RuleTable {
  const names = makeNameFinder(namesText, { spell: camelName });
  return {
    "google/unknown-field": cheap({
      summary: "The request has only fields that the service knows.",
      repairSummary: "Leave the unknown fields out.",
      ...leavingOut(names.fieldsAtTop, faultOf),
    }),
    "google/unknown-name": {
      summary: "Contents, parts and tools have only fields that the service knows.",
      repairSummary: "Leave the unknown fields out.",
      ...leavingOut((input) => names.fieldsBelow(input).filter((it) => !isSetting(it)), faultOf),
    },
    "google/unknown-setting": {
      summary: "`generationConfig` and `thinkingConfig` have only settings that the service knows.",
      repairSummary: "Leave the unknown settings out.",
      ...leavingOut((input) => names.fieldsBelow(input).filter(isSetting), faultOf),
    },
  };
}
