import { chat, type Message, type UserPart } from "mull";
import { describe, expect, it } from "vitest";

import { emulate } from "../emulate.ts";
import { think } from "./brain.ts";
import { readQuestion } from "./question.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const words = (text: string): UserPart => ({ type: "text", text });
const asking = (...parts: readonly UserPart[]): Message => ({ role: "user", parts });
const answerTo = (...messages: readonly Message[]): string => {
  const request = {
    model: "m",
    messages,
    thinking: { type: "default" },
    show: "auto",
    stream: false,
  } as const;
  return think(readQuestion(request)).answer ?? "";
};

const readme = "# mull\n\nOne dial for 15% of 240 models.\n\n## Install\n\nRun npm install.\n";
const inQuestion = words(`<file name="README.md">\n${readme}\n</file>`);
const forms: readonly (readonly [string, UserPart])[] = [
  ["in the question", inQuestion],
  ["quoted", words(`The file README.md:\n"""\n${readme}\n"""`)],
  [
    "beside it",
    {
      type: "file",
      name: "README.md",
      mediaType: "text/markdown",
      source: { type: "base64", data: base64(readme) },
    },
  ],
];

describe("the brain reads files", () => {
  it.each(forms)("%s", (_, file) => {
    const said = answerTo(asking(file, words("what is in this file?")));
    expect(said).toContain("**README.md** has 7 lines and 14 words.");
    expect(said).toContain("> # mull\n> One dial for 15% of 240 models.");
    expect(said).toContain("- Install");
    expect(said).not.toContain("**36**");
  });

  it("and finds what is asked for, also a few questions later", () => {
    const first = asking(inQuestion, words("Read it."));
    const reply: Message = { role: "assistant", parts: [{ type: "text", text: "Done." }] };
    const said = answerTo(first, reply, asking(words("What does the file say about install?")));
    expect(said).toContain("Line 5 mentions “install”");
    expect(said).toContain("> ## Install");
    expect(answerTo(first, reply, asking(words("What is 2 + 3?")))).toContain("**5**");
  });

  it("that came with a question that doesn't speak of them", () => {
    expect(answerTo(asking(inQuestion, words("look at @README.md")))).toContain("has 7 lines");
    expect(answerTo(asking(inQuestion, words("What is 2 + 3?")))).toContain("**5**");
  });

  it("and says so where it can't read one", () => {
    const source = { type: "base64", data: base64("GIF89a") } as const;
    const picture: UserPart = { type: "file", name: "a.gif", mediaType: "image/gif", source };
    const said = answerTo(asking(picture, words("What is in this picture?")));
    expect(said).toContain("I got **a.gif** (image/gif).");
  });
});

describe("the brain skims what is too long to read", () => {
  it.each(["1", "(", "-", "1,", "a ", ".", "é", "$1 ", "%"])("ten megabytes of %j", (piece) => {
    const text = `${piece.repeat(10_000_000 / piece.length)}\nWhat is 15% of 240?`;
    expect(answerTo(asking(words(text)), asking(words(text))).length).toBeLessThan(10_000);
  });

  it("and still answers the question behind a long page", () => {
    const page = "Nothing to see here. ".repeat(500_000);
    expect(answerTo(asking(words(`${page}\nWhat is 15% of 240?`)))).toContain("**36**");
  });
});

describe("the brain reads a file that comes over the wire", () => {
  it.each(["claude-opus-5-5", "gpt-6-sol", "gemini-3.8-flash"])("of %s", async (model) => {
    const source = { type: "base64", data: base64("# Café\n\nOpen late.") } as const;
    const file: UserPart = { type: "file", name: "a.md", mediaType: "text/plain", source };
    const messages = [asking(file, words("what is in this file?"))];
    const { text } = await chat(model, { messages }, { apiKey: "k", fetch: emulate() });
    expect(text).toContain("has 3 lines and 4 words. It begins:\n\n> # Café");
  });
});

describe("the brain reads what was piped in front of a question", () => {
  const page = `# Trees\n\n${"Oaks lose their leaves late. ".repeat(300)}\n\n## Pines\n\nThey keep them.`;

  it("and says what is in it, all of it counted", () => {
    const said = answerTo(asking(words(`${page}\n\nSummarise this`)));
    expect(said).toContain("The text has 7 lines and 1,507 words. It begins:\n\n> # Trees");
    expect(said).toContain("- Trees\n- Pines");
  });

  it("and finds what is asked about", () => {
    expect(answerTo(asking(words(`${page}\n\nWhat does it say about pines?`)))).toContain(
      "> ## Pines",
    );
  });

  it("unless the question is about something else", () => {
    expect(answerTo(asking(words(`${page}\n\nWhat is 2 + 3?`)))).toContain("**5**");
  });
});
