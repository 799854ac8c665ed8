import type { SecretFinder, SecretSpan } from "./find-secrets.ts";
import { createSecretFinder, replacementOf } from "./find-secrets.ts";
import { plainBody } from "./plain-body.ts";
import { redacted, secretParameter } from "./secret-shapes.ts";

/** What to hide in a recording. */
export interface RedactOptions {
  /** Values that are secret, whatever they look like. They are hidden in every form they can take. */
  readonly secrets?: readonly string[];
  /** Headers to keep besides the usual ones. All others are dropped. */
  readonly keepHeaders?: readonly string[];
}

// An allow-list, so that tomorrow's header with an account id in it is redacted too.
const keptHeaders = new Set([
  "accept",
  "anthropic-beta",
  "anthropic-version",
  "content-type",
  "location",
  "openai-beta",
  "openai-processing-ms",
  "openai-version",
  "request-id",
  "retry-after",
  "retry-after-ms",
  "x-goog-upload-status",
  "x-goog-upload-url",
  "x-request-id",
  "x-should-retry",
]);
const keptHeaderPrefixes = ["anthropic-ratelimit-", "x-ratelimit-", "x-mull-"];

/** Headers whose value is a secret; what is read there is hidden everywhere else too. */
const secretHeaders = [
  "api-key",
  "authorization",
  "cookie",
  "proxy-authorization",
  "x-api-key",
  "x-goog-api-key",
];

/** What of a request may hold secrets. */
interface Sent {
  readonly headers: Headers;
  readonly url: string;
  readonly body: Buffer | undefined;
}

export interface Redactor {
  readonly finder: SecretFinder;
  readonly text: (text: string) => string;
  readonly bytes: (bytes: Uint8Array) => Buffer;
  readonly headers: (headers: Headers) => Readonly<Record<string, string>>;
  readonly url: (url: string) => string;
  /** The fields of a form, in an address or in a body. */
  readonly form: (body: Buffer) => Buffer;
  /** Takes the secrets out of a request's headers, address and form into what is hidden from here on. */
  readonly learn: (sent: Sent) => void;
}

/** With `redact` off the finder still works: what it finds then makes the recording fail. */
export const createRedactor = (options: RedactOptions | false = {}): Redactor => {
  const finder = createSecretFinder(options === false ? [] : (options.secrets ?? []));
  const kept = options === false ? [] : (options.keepHeaders ?? []);
  const isKept = keepsHeader(new Set(kept.map((name) => name.toLowerCase())));
  const bytes = (data: Uint8Array): Buffer =>
    options === false
      ? Buffer.from(data)
      : Buffer.from(replaceSecrets(toLatin1(data), finder), "latin1");
  const text = (clear: string): string => bytes(Buffer.from(clear, "utf8")).toString("utf8");
  return {
    finder,
    text,
    bytes,
    headers: (headers) =>
      Object.fromEntries(
        [...headers].filter(([name]) => isKept(name)).map(([name, value]) => [name, text(value)]),
      ),
    url: (url) => (options === false ? url : text(redactParameters(url))),
    form: (body) =>
      options === false ? body : Buffer.from(redactFields(body.toString("latin1")), "latin1"),
    learn: (sent) => finder.learn(secretsIn(sent)),
  };
};

const keepsHeader =
  (more: ReadonlySet<string>) =>
  (name: string): boolean =>
    keptHeaders.has(name) ||
    more.has(name) ||
    keptHeaderPrefixes.some((prefix) => name.startsWith(prefix));

function* secretsIn({ headers, url, body }: Sent): Generator<string> {
  for (const name of secretHeaders) {
    const value = headers.get(name);
    if (value === null) continue;
    yield value;
    yield value.replace(/^[A-Za-z-]+\s+/, "");
    if (name === "cookie") yield* value.split(";").map((pair) => pair.replace(/^[^=]*=/, ""));
  }
  const { searchParams, username, password } = new URL(url);
  const fields = isForm(headers) ? new URLSearchParams(plainBody(headers, body)?.toString()) : [];
  for (const [name, value] of [...searchParams, ...fields]) {
    if (secretParameter.test(name)) yield value;
  }
  yield decodeURIComponent(username);
  yield decodeURIComponent(password);
}

export const isForm = (headers: Headers): boolean =>
  /^application\/x-www-form-urlencoded\b/i.test(headers.get("content-type") ?? "");

/** Works on the text as it was sent, so that everything harmless in it stays so. */
const redactFields = (text: string): string =>
  text.replaceAll(/(^|[?&])([^=&?#]+)=([^&#]*)/g, (pair: string, mark: string, name: string) =>
    secretParameter.test(decodeParameter(name)) ? `${mark}${name}=${redacted}` : pair,
  );

const redactParameters = (url: string): string =>
  redactFields(url.replace(/^([a-z]+:\/\/)[^/?#@]*@/i, "$1"));

const decodeParameter = (name: string): string => {
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
};

export const toLatin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");

const replaceSecrets = (bytes: string, finder: SecretFinder): string =>
  replaceSpans(bytes, finder.find(bytes));

const replaceSpans = (bytes: string, spans: readonly SecretSpan[]): string => {
  if (spans.length === 0) return bytes;
  let clean = "";
  let done = 0;
  for (const span of spans) {
    clean += bytes.slice(done, span.start) + replacementOf(span);
    done = span.end;
  }
  return clean + bytes.slice(done);
};
