/** What a redacted value becomes. Safe in JSON, in addresses and in headers; no shape matches it. */
export const redacted = "REDACTED";

export interface SecretShape {
  readonly kind: string;
  /** Global. Group 1, if there is one, is kept; the rest of the match is the secret. */
  readonly pattern: RegExp;
  /** The pattern cannot match a text that holds none of these. Absent: always tried. */
  readonly hints?: readonly string[];
}

// A secret starts a word. Inside JSON the letter of `\n` and inside addresses the digits of `%3D`
// stand right before it, and are not part of the word. Without a start condition the patterns
// would also hit inside base64 (seals!) and take quadratic time on it.
const start = String.raw`(?:(?<![\w\\-])|(?<=\\[nrtbf])|(?<=\\u[\da-fA-F]{4})|(?<=%[\da-fA-F]{2}))`;

const word = (body: string, flags = "g"): RegExp => new RegExp(start + body, flags);

/** JSON members and form fields that hold a secret or name an account, whatever the value looks like. */
const fieldNames = [
  "(?:x-)?api[-_]?key",
  "x-goog-api-key",
  "(?:access|refresh|id|auth|session|bearer)[-_]?token",
  "(?:client|shared|webhook)?[-_]?secret(?:[-_]?(?:access[-_]?)?key)?",
  "private[-_]?key",
  "pass(?:word|wd|phrase)",
  "(?:proxy-)?authorization",
  "(?:set-)?cookie",
  "organi[sz]ation[-_]?(?:id|uuid)",
  "openai-(?:organization|project)",
  "(?:workspace|account)[-_]?(?:id|uuid)",
].join("|");

/** Parameters of an address that hold a secret. */
export const secretParameter: RegExp = new RegExp(
  `^(?:key|token|sig|signature|code|auth|upload_id|x-(?:goog|amz)-(?:signature|credential|security-token)|${fieldNames})$`,
  "i",
);

export const secretShapes: readonly SecretShape[] = [
  { kind: "Anthropic key", pattern: /sk-ant-[\w-]*/g, hints: ["sk-ant-"] },
  {
    kind: "OpenAI key",
    pattern: word(
      String.raw`sk-(?:(?:proj|svcacct|admin|None|or-v1)-[\w-]*|[A-Za-z0-9]{20,}\b|(?=[\w-]*\d)[\w-]{24,})`,
    ),
    hints: ["sk-"],
  },
  // Long enough not to match a word such as `task-admin-panel`, whatever precedes it.
  {
    kind: "OpenAI key",
    pattern: /sk-(?:proj|svcacct|admin)-[\w-]{32,}/g,
    hints: ["sk-proj-", "sk-svcacct-", "sk-admin-"],
  },
  // Services repeat a part of a wrong key: `sk-proj-ab***********yz`.
  {
    kind: "masked key",
    pattern: word(String.raw`(?:sk-|AIza|AQ\.|gsk_|xai-|key-)[\w.-]{0,40}\*{3,}[\w-]{0,12}`),
    hints: ["***"],
  },
  {
    kind: "echoed key",
    pattern: /(\b[Kk]ey provided: )[^\s"\\]{1,200}?(?=\.?(?:[\s"\\]|$))/g,
    hints: ["ey provided: "],
  },
  { kind: "Google key", pattern: word(String.raw`AIza[\w-]{30,}`), hints: ["AIza"] },
  { kind: "Google key", pattern: word(String.raw`AQ\.[\w-]{20,}`), hints: ["AQ."] },
  { kind: "Google token", pattern: word(String.raw`ya29\.[\w.-]{20,}`), hints: ["ya29."] },
  {
    kind: "vendor key",
    pattern: word(
      String.raw`(?:gsk_|xai-|hf_|pplx-|r8_|fw_|nvapi-|tgp_v1_|csk-|gh[pousr]_|github_pat_|glpat-|GOCSPX-|sk_(?:live|test)_|xox[abeprs]-)[\w-]{20,}`,
    ),
    hints: [
      "sk_",
      "xai-",
      "hf_",
      "pplx-",
      "r8_",
      "fw_",
      "nvapi-",
      "tgp_v1_",
      "csk-",
      "gh",
      "glpat-",
      "GOCSPX-",
      "xox",
    ],
  },
  { kind: "AWS key", pattern: word(String.raw`A(?:KIA|SIA)[A-Z0-9]{16}\b`), hints: ["KIA", "SIA"] },
  {
    kind: "bearer token",
    pattern: /(\bbearer(?:\s|%20|\+){1,4})(?=[\w.~+/=-]{0,512}\d|[\w.~+/=-]{20})[\w.~+/=-]{8,}/gi,
  },
  {
    kind: "basic credentials",
    pattern: /(\bbasic(?:\s|%20|\+){1,4})(?=[\w+/-]{0,512}\d)[\w+/-]{16,}={0,2}/gi,
  },
  {
    kind: "JWT",
    pattern: word(String.raw`eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*(?:\.[\w-]*){0,2}`),
    hints: ["eyJ"],
  },
  {
    kind: "private key",
    pattern:
      /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{1,16384}-----END [A-Z ]{0,30}PRIVATE KEY-----/g,
    hints: ["PRIVATE KEY-----"],
  },
  { kind: "organisation id", pattern: word(String.raw`org-[A-Za-z0-9]{8,}\b`), hints: ["org-"] },
  { kind: "project id", pattern: word(String.raw`proj_[A-Za-z0-9]{8,}\b`), hints: ["proj_"] },
  {
    kind: "project number",
    pattern: /((?:\bprojects\/|project_number:|\bproject[ =]))\d{6,}/g,
    hints: ["project"],
  },
  {
    kind: "cookie",
    pattern:
      /((?:\b__cf_bm|\b_cfuvid|\bcf_clearance|\bsessionKey|\b__Secure-[\w.-]{1,60}|\b__Host-[\w.-]{1,60})=)[^;\s"',\\]{4,}/g,
  },
  {
    kind: "e-mail address",
    pattern: word(
      String.raw`[A-Za-z0-9_+.-]{1,64}(?:@|%40)(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}\b`,
    ),
    hints: ["@", "%40"],
  },
  {
    kind: "home directory",
    pattern: /((?<![\w.])\/(?:home|Users)\/)[^/\s"'`\\,;:)<>]{1,64}/g,
    hints: ["/home/", "/Users/"],
  },
  {
    kind: "home directory",
    pattern: /(\b[A-Za-z]:(?:\\{1,4}|\/)Users(?:\\{1,4}|\/))[^/\s"'`\\,;:)<>]{1,64}/g,
    hints: ["Users"],
  },
  {
    kind: "secret field",
    pattern: new RegExp(
      String.raw`("(?:${fieldNames})"\s{0,8}:\s{0,8}")(?:[^"\\]|\\.){1,16384}`,
      "gi",
    ),
  },
  // JSON inside a JSON string, as in tool arguments.
  {
    kind: "secret field",
    pattern: new RegExp(
      String.raw`((?:\\{1,7})"(?:${fieldNames})\\{1,7}"\s{0,8}:\s{0,8}\\{1,7}")[^"\\]{1,16384}`,
      "gi",
    ),
    hints: ['\\"'],
  },
  // A field of a multipart form, as it is sent and as it is written down.
  {
    kind: "secret field",
    pattern: new RegExp(
      String.raw`(; name="(?:${fieldNames})"(?:\r\n[^\r\n]{1,200}){0,4}\r\n\r\n)[^\r\n]{1,16384}`,
      "gi",
    ),
    hints: ['; name="'],
  },
  {
    kind: "secret field",
    pattern: new RegExp(
      String.raw`(; name=\\"(?:${fieldNames})\\"(?:\\r\\n[^\\]{1,200}){0,4}\\r\\n\\r\\n)[^\\"]{1,16384}`,
      "gi",
    ),
    hints: ['; name=\\"'],
  },
  {
    kind: "secret field",
    pattern: new RegExp(
      String.raw`([?&](?:key|access_token|token|sig|upload_id|api[-_]?key)=)[^&\s"'\\#<>]{6,4096}`,
      "gi",
    ),
    hints: ["?", "&"],
  },
];
