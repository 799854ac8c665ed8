import { existsSync, readFileSync } from "node:fs";

export interface Recording {
  readonly id: string;
  readonly api: string;
  readonly provider: string;
  readonly stream: boolean;
  readonly features: readonly string[];
  readonly request: {
    readonly url_path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Readonly<Record<string, unknown>> | null;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body_text: string;
  };
  readonly expected: {
    readonly thinking: string;
    readonly text: string;
    readonly refusal?: string;
    readonly tool_calls: readonly { id: string | null; name: string; args: unknown }[];
    readonly signature_sha256?: readonly string[];
    readonly redacted?: number;
    readonly finish?: string | null;
    readonly usage?: Readonly<Record<string, unknown>> | null;
    readonly model?: string;
    readonly id?: string;
    readonly error?: unknown;
    readonly terminal?: string;
    readonly in_stream_error?: unknown;
  };
}

const file = new URL("../../../../../shared/recordings/recordings.jsonl", import.meta.url);

/** Real traffic kept beside the checkout; empty where it is not at hand. */
export const readRecordings = (): readonly Recording[] => {
  if (!existsSync(file)) {
    console.warn("recordings are absent: real traffic is not checked");
    return [];
  }
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Recording => JSON.parse(line));
};
