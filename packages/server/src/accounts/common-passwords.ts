/** What lists of stolen passwords start with, letters only. */
const words: ReadonlySet<string> = new Set(
  (
    "password passwort passphrase letmein welcome admin administrator login master superman batman " +
    "iloveyou iloveu princess sunshine football baseball basketball monkey dragon shadow michael " +
    "jennifer jordan charlie trustnoone starwars whatever computer internet freedom secret changeme " +
    "default guest root test testing user qwerty qwertz azerty qwertyuiop asdfghjkl zxcvbnm asdf abc " +
    "abcd summer winter spring autumn hello google facebook samsung apple mustang access flower " +
    "cheese pokemon minecraft mull chatgpt claude gemini"
  ).split(" "),
);

/** Rows of the keyboard and the alphabet, forwards. */
const rows = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890123456789",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
];

const backwards = (text: string): string => Array.from(text).toReversed().join("");

/** Digits for letters don't make a password safe: `p4ssw0rd`. */
const leet: ReadonlyMap<string, string> = new Map([
  ["0", "o"],
  ["1", "i"],
  ["3", "e"],
  ["4", "a"],
  ["5", "s"],
  ["7", "t"],
  ["@", "a"],
  ["$", "s"],
  ["!", "i"],
]);

const lettersOf = (text: string): string => text.replaceAll(/[^a-z]/g, "");

/**
 * Whether a password is among the first guesses: a common word with digits, a keyboard row, a
 * pattern, or the name itself.
 */
export function isCommonPassword(password: string, name: string): boolean {
  const lower = password.normalize("NFKC").toLowerCase();
  // Guessers first try a word with digits and signs around it.
  const core = lower.replaceAll(/^[^a-z]+|[^a-z]+$/g, "");
  const spelled = lower
    .replaceAll(/^[\d\W]+(?=[a-z])|(?<=[a-z])[\d\W]+$/g, "")
    .replaceAll(/[^a-z]/g, (letter) => leet.get(letter) ?? letter);
  const isRow = [...rows, ...rows.map(backwards)].some((row) => row.includes(lower));
  const isPattern = /^(.{1,4}?)\1+.?$/u.test(lower);
  const said = name.toLowerCase();
  const isName = said.length > 2 && lower.replaceAll(said, "").length < 4;
  return (
    isRow ||
    isPattern ||
    isName ||
    [core, lettersOf(lower), lettersOf(spelled)].some((word) => words.has(word))
  );
}
