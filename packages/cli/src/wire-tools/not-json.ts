/** What people hand over instead of JSON, and what makes JSON of it. The first that fits is said. */
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

/** What to do about a text that should be a request and is no JSON. */
export const mendNotJson = (text: string): string =>
  looks.find(([look]) => look.test(text))?.[1] ??
  "A request is a JSON body, a curl command, a HAR file or an envelope: mull lint --help";
