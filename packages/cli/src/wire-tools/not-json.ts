/**
 * Other texts that people pass instead of JSON, and advice for each. The first that matches is
 * used.
 */
const looks: readonly (readonly [RegExp, string])[] = [
  [
    /^\s*(?:import|from|await|async|const|let|var|def|print|client|#!|\/\/|\w+\s*=|\w+(?:\.\w+)+\()/,
    "This looks like a program. Run it against mull emulate, which checks what it really sends.",
  ],
  [
    /^\s*[{[]\s*'|:\s*(?:True|False|None)\b/,
    "This looks like Python: print(json.dumps(body)) writes it as JSON.",
  ],
  [
    /^\s*(?:\/\/|\/\*)|,\s*[}\]]|^\s*[{,]\s*\w+\s*:/m,
    "JSON has no comments, no comma before a closing bracket, and names in double quotes.",
  ],
  [/^\s*(?:POST|HTTP)\b/, "Leave the lines before the body out; --path and --header take them."],
];

/** Advice for a text that should be a request and is not JSON. */
export const mendNotJson = (text: string): string =>
  looks.find(([look]) => look.test(text))?.[1] ??
  "A request is a JSON body, a curl command, a HAR file or an envelope: mull lint --help";
