import { basename } from "node:path";

import type { JsonObject, Model } from "mull";

import type { SettingsOverlay } from "./settings-overlay.ts";

/** Where a program finds the gateway, and what answers there. */
export interface GatewayPlace {
  readonly url: string;
  readonly key: string;
  /** Absent: the program names its models itself. */
  readonly model?: Model | undefined;
}

/** What a program needs besides the variables that every program gets. */
export interface ProgramSetup {
  /** Arguments after the program's name, before the user's own. */
  readonly args?: readonly string[];
  /** `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Claude Code's `--settings`. */
  readonly settings?: JsonObject;
  /** The same in every run, in a folder that `args` name as `{folder}`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly overlay?: SettingsOverlay;
}

/** A program whose settings are known. */
export interface Program {
  readonly title: string;
  /** The word it is started with, or the package that `npx` starts. */
  readonly names: readonly string[];
  readonly setUp: (place: GatewayPlace) => ProgramSetup;
}

/** What SDKs and most programs read. Each vendor's variable leads to the gateway, with the same key. */
export const commonVariables = ({ url, key }: GatewayPlace): Record<string, string> => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: key,
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_API_KEY: key,
  GOOGLE_GEMINI_BASE_URL: url,
  GEMINI_API_KEY: key,
  GOOGLE_API_KEY: key,
  GOOGLE_GENERATIVE_AI_API_KEY: key,
});

const json = (value: object): string => JSON.stringify(value);

/** The models that Claude Code asks for by itself: for titles, searches and subagents. */
const claudeModelVariables = [
  "ANTHROPIC_MODEL",
  "ANTHROPIC_SMALL_FAST_MODEL",
  "ANTHROPIC_DEFAULT_OPUS_MODEL",
  "ANTHROPIC_DEFAULT_SONNET_MODEL",
  "ANTHROPIC_DEFAULT_HAIKU_MODEL",
];

/** Other services that Claude Code can ask instead. */
const claudeServices = [
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY",
];

const withValue = <T>(names: readonly string[], value: T): Record<string, T> =>
  Object.fromEntries(names.map((name) => [name, value]));

const claudeCode: Program = {
  title: "Claude Code",
  names: ["claude", "@anthropic-ai/claude-code"],
  setUp: ({ url, key, model }) => {
    const modelVariables = model !== undefined && {
      ...withValue(claudeModelVariables, model.id),
      // Of a model it does not know, it believes that a million tokens fit.
      ...(model.window !== undefined && { CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(model.window) }),
    };
    // `"env": {"ANTHROPIC_BASE_URL": …}` in the user's settings wins over our variables. These
    // settings win over the user's. Other people of this machine see them, so no key is in them.
    const settings = {
      apiKeyHelper: `"${process.execPath}" -p process.env.MULL_GATEWAY_KEY`,
      env: {
        ...withValue(["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", ...claudeServices], ""),
        ANTHROPIC_BASE_URL: url,
        ...modelVariables,
      },
    };
    return {
      settings,
      env: {
        // A token is taken as it is; a key it does not know makes the chat ask whether to use it.
        ANTHROPIC_API_KEY: undefined,
        ANTHROPIC_AUTH_TOKEN: key,
        MULL_GATEWAY_KEY: key,
        ...withValue(claudeServices, undefined),
        ...modelVariables,
      },
    };
  },
};

const codex: Program = {
  title: "Codex",
  names: ["codex", "@openai/codex"],
  setUp: ({ url, key, model }) => ({
    // A provider of its own: the built-in one asks for a login, and calls home first.
    args: [
      "-c",
      'model_provider="mull"',
      "-c",
      `model_providers.mull={name="mull",base_url="${url}/v1",env_key="MULL_GATEWAY_KEY",wire_api="responses"}`,
      ...(model === undefined ? [] : ["-c", `model="${model.id}"`]),
      ...(model?.window === undefined ? [] : ["-c", `model_context_window=${model.window}`]),
    ],
    env: { MULL_GATEWAY_KEY: key },
  }),
};

const objectAt = (value: JsonObject, name: string): JsonObject => {
  const found = value[name];
  const isObject = typeof found === "object" && found !== null && !Array.isArray(found);
  return isObject ? (found as JsonObject) : {};
};

const geminiCli: Program = {
  title: "gemini-cli",
  names: ["gemini", "@google/gemini-cli"],
  setUp: ({ model }) => ({
    env: {
      // It warns when it finds both names.
      GOOGLE_API_KEY: undefined,
      GOOGLE_GENAI_USE_VERTEXAI: undefined,
      GOOGLE_GENAI_USE_GCA: undefined,
      ...(model !== undefined && { GEMINI_MODEL: model.id }),
    },
    // No variable says that a key is used beside another address: only its settings do.
    overlay: {
      homeVariable: "GEMINI_CLI_HOME",
      folder: ".gemini",
      file: "settings.json",
      change: (settings) => ({
        ...settings,
        security: {
          ...objectAt(settings, "security"),
          auth: {
            ...objectAt(objectAt(settings, "security"), "auth"),
            selectedType: "gemini-api-key",
          },
        },
      }),
    },
  }),
};

const outputOf = ({ outputCap }: Model): number => outputCap ?? 32_000;
const windowOf = ({ window }: Model): number => window ?? 200_000;

const opencode: Program = {
  title: "opencode",
  names: ["opencode", "opencode-ai"],
  setUp: ({ url, key, model }) => ({
    env: {
      OPENCODE_CONFIG_CONTENT: json(
        model === undefined
          ? {
              provider: {
                anthropic: { options: { baseURL: `${url}/v1`, apiKey: key } },
                openai: { options: { baseURL: `${url}/v1`, apiKey: key } },
                google: { options: { baseURL: `${url}/v1beta`, apiKey: key } },
              },
            }
          : {
              model: `mull/${model.id}`,
              small_model: `mull/${model.id}`,
              provider: {
                mull: {
                  // It speaks several wires; on this one it keeps every seal.
                  npm: "@ai-sdk/anthropic",
                  name: "mull",
                  options: { baseURL: `${url}/v1`, apiKey: key },
                  models: {
                    [model.id]: {
                      name: model.id,
                      reasoning: true,
                      tool_call: true,
                      attachment: model.files?.images ?? false,
                      limit: { context: windowOf(model), output: outputOf(model) },
                    },
                  },
                },
              },
            },
      ),
    },
  }),
};

/** What pi calls its providers, for this run: `models.json` in the user's folder stays as it is. */
const piProviders = ({ url, model }: GatewayPlace): Readonly<Record<string, object>> =>
  model === undefined
    ? {
        anthropic: { baseUrl: url },
        openai: { baseUrl: `${url}/v1` },
        google: { baseUrl: `${url}/v1beta` },
      }
    : {
        mull: {
          baseUrl: url,
          apiKey: "$MULL_GATEWAY_KEY",
          api: "anthropic-messages",
          models: [
            {
              id: model.id,
              name: model.id,
              reasoning: true,
              input: (model.files?.images ?? false) ? ["text", "image"] : ["text"],
              cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...model.price },
              contextWindow: windowOf(model),
              maxTokens: outputOf(model),
            },
          ],
        },
      };

const piExtension = `export default function (pi) {
  const providers = JSON.parse(process.env.MULL_PI_PROVIDERS ?? "{}");
  for (const [name, settings] of Object.entries(providers)) pi.registerProvider(name, settings);
}
`;

const pi: Program = {
  title: "pi",
  names: ["pi", "@earendil-works/pi-coding-agent", "@mariozechner/pi-coding-agent"],
  setUp: (place) => ({
    args: [
      "--extension",
      "{folder}/mull.mjs",
      ...(place.model === undefined ? [] : ["--model", `mull/${place.model.id}`]),
    ],
    env: { MULL_GATEWAY_KEY: place.key, MULL_PI_PROVIDERS: json(piProviders(place)) },
    files: { "mull.mjs": piExtension },
  }),
};

/** Programs that need more than the variables every program gets. */
export const programs: readonly Program[] = [claudeCode, codex, geminiCli, opencode, pi];

/** Programs that start other programs, whose name comes after theirs. */
const starters: ReadonlySet<string> = new Set([
  "npx",
  "bunx",
  "pnpx",
  "node",
  "bun",
  "deno",
  "env",
]);

/** The program that a command line starts, and where its own words begin. */
export function findProgram(
  line: readonly string[],
): { readonly program: Program; readonly wordsFrom: number } | undefined {
  for (const [index, word] of line.entries()) {
    const program = programs.find(({ names }) => isOneOf(word, names));
    if (program !== undefined) return { program, wordsFrom: index + 1 };
    const isBefore = word.startsWith("-") || word.includes("=") || starters.has(nameOf(word));
    if (!isBefore) return undefined;
  }
  return undefined;
}

/** Its own name, or a script inside its package: `node …/pi-coding-agent/dist/cli.js`. */
const isOneOf = (word: string, names: readonly string[]): boolean =>
  names.includes(nameOf(word)) ||
  names.some((name) => word.replaceAll("\\", "/").includes(`/node_modules/${name}/`));

/** `/usr/bin/claude`, `claude.exe` and `@anthropic-ai/claude-code@latest` without their trimmings. */
const nameOf = (word: string): string => {
  const name = word.startsWith("@") ? word : basename(word);
  return name.replace(/(?<=.)@.*$/, "").replace(/\.(?:exe|cmd|ps1|[cm]?js)$/i, "");
};
