import { createMull, type MullSettings } from "@mull/ai-sdk";
import { createMull as createMull6 } from "@mull/ai-sdk/v6";
import * as six from "ai";
import * as seven from "ai-7";

// Warnings are looked at in the tests; the console need not have them.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** A question with everything that the tests set; both versions of the AI SDK are asked the same. */
export interface Ask {
  readonly settings: MullSettings;
  /** One model a step; the last one answers the rest. */
  readonly refs: readonly string[];
  readonly messages: six.ModelMessage[];
  readonly with?: Partial<
    Pick<
      Parameters<typeof six.generateText>[0],
      "providerOptions" | "abortSignal" | "headers" | "maxRetries" | "seed" | "maxOutputTokens"
    >
  >;
  readonly tools?: boolean;
}

/** What came of it, as far as both versions call it the same. */
export interface Answered {
  readonly text: string;
  readonly reasoningText: string | undefined;
  readonly finishReason: string;
  readonly totalUsage: Pick<six.LanguageModelUsage, "inputTokens" | "outputTokens" | "totalTokens">;
  readonly messages: readonly six.ModelMessage[];
  readonly steps: readonly {
    readonly toolCalls: readonly object[];
    readonly warnings: readonly object[] | undefined;
    readonly providerMetadata: Readonly<Record<string, object>> | undefined;
    readonly response: { readonly headers?: Readonly<Record<string, string>> | undefined };
  }[];
}

/** A version of the AI SDK, streamed and not. */
export interface Version {
  readonly name: string;
  readonly answer: (ask: Ask) => Promise<Answered>;
}

const schema = {
  type: "object" as const,
  properties: { query: { type: "string" } },
  required: ["query"],
  additionalProperties: false,
};

interface Query {
  readonly query: string;
}

const look = {
  description: "Looks something up",
  execute: ({ query }: Query): Promise<string> => Promise.resolve(`${query}: stocks closed mixed`),
};

const at = (refs: readonly string[], step: number): string => refs[step] ?? refs.at(-1)!;

/** Out of a database, where nothing but JSON survives. */
const stored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function asked6({ settings, refs, messages, tools = true, ...ask }: Ask) {
  const mull = createMull6(settings);
  // Programs of version 6 have its types; here those of version 7 are installed beside them.
  const model = (step: number): six.LanguageModel => mull(at(refs, step)) as six.LanguageModel;
  return {
    model: model(0),
    prepareStep: ({ stepNumber }: { readonly stepNumber: number }) => ({
      model: model(stepNumber),
    }),
    messages,
    ...(tools && {
      tools: { searchWeb: six.tool({ ...look, inputSchema: six.jsonSchema<Query>(schema) }) },
    }),
    stopWhen: six.stepCountIs(8),
    ...ask.with,
  };
}

function asked7({ settings, refs, messages, tools = true, ...ask }: Ask) {
  const mull = createMull(settings);
  return {
    model: mull(at(refs, 0)),
    prepareStep: ({ stepNumber }: { readonly stepNumber: number }) => ({
      model: mull(at(refs, stepNumber)),
    }),
    messages: stored(messages) as seven.ModelMessage[],
    ...(tools && {
      tools: { searchWeb: seven.tool({ ...look, inputSchema: seven.jsonSchema<Query>(schema) }) },
    }),
    stopWhen: seven.stepCountIs(8),
    ...ask.with,
  };
}

export const versions: readonly Version[] = [
  {
    name: "AI SDK 6, whole",
    answer: async (ask) => {
      const result = await six.generateText(asked6(ask));
      return stored({ ...picked(result), messages: result.response.messages }) as Answered;
    },
  },
  {
    name: "AI SDK 6, streamed",
    answer: async (ask) => {
      const failures: unknown[] = [];
      const onError = ({ error }: { readonly error: unknown }): void => void failures.push(error);
      const result = six.streamText({ ...asked6(ask), onError });
      const known = await settled(result, failures);
      return stored({ ...known, messages: (await result.response).messages }) as Answered;
    },
  },
  {
    name: "AI SDK 7, whole",
    answer: async (ask) => {
      const result = await seven.generateText(asked7(ask));
      return stored({ ...picked(result), messages: result.responseMessages }) as Answered;
    },
  },
  {
    name: "AI SDK 7, streamed",
    answer: async (ask) => {
      const failures: unknown[] = [];
      const onError = ({ error }: { readonly error: unknown }): void => void failures.push(error);
      const result = seven.streamText({ ...asked7(ask), onError });
      const known = await settled(result, failures);
      return stored({ ...known, messages: await result.responseMessages }) as Answered;
    },
  },
];

const picked = ({
  text,
  reasoningText,
  finishReason,
  totalUsage,
  steps,
}: Omit<Answered, "messages">) => ({
  text,
  reasoningText,
  finishReason,
  totalUsage,
  steps: steps.map(({ toolCalls, warnings, providerMetadata, response }) => ({
    toolCalls,
    warnings,
    providerMetadata,
    response: { headers: response.headers ?? {} },
  })),
});

type Picked = Omit<Answered, "messages">;

type Streamed = { readonly [K in keyof Picked]: PromiseLike<Picked[K]> };

/** A stream tells a failure to `onError`, and has nothing to say where nothing came. */
async function settled(result: Streamed, failures: readonly unknown[]): Promise<Picked> {
  try {
    return picked({
      text: await result.text,
      reasoningText: await result.reasoningText,
      finishReason: await result.finishReason,
      totalUsage: await result.totalUsage,
      steps: await result.steps,
    });
  } catch (error) {
    throw failures[0] ?? error;
  }
}
