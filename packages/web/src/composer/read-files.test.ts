import { describe, expect, it } from "vitest";
import { most, readFiles } from "./read-files.ts";

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255]);

describe("R252 files as parts of a question", () => {
  it.each([
    ["a picture", new File([png], "dot.png", { type: "image/png" }), "image/png"],
    ["text under another name", new File(["a: 1"], "a.ts", { type: "video/mp2t" }), "text/plain"],
    [
      "a drawing, which is text",
      new File(["<svg/>"], "a.svg", { type: "image/svg+xml" }),
      "text/plain",
    ],
    ["text in any letters", new File(["שלום 你好 🙂"], "a", { type: "" }), "text/plain"],
    [
      "a PDF of plain letters",
      new File(["%PDF"], "a.pdf", { type: "application/pdf" }),
      "application/pdf",
    ],
    ["what nobody has named", new File([png], "a.bin"), "application/octet-stream"],
    [
      "a type that is none",
      new File([png], "a.bin", { type: "picture" }),
      "application/octet-stream",
    ],
  ])("%s", async (_, file, mediaType) => {
    const { files, refusals } = await readFiles([file], []);
    const data = Buffer.from(await file.arrayBuffer()).toString("base64");
    const url = `data:${mediaType};base64,${data}`;
    expect(files).toEqual([{ type: "file", mediaType, filename: file.name, url }]);
    expect(refusals).toEqual([]);
  });

  it("takes large ones whole, up to what a request takes", async () => {
    const bytes = new Uint8Array(most.bytes - 1).map((_, at) => at % 251);
    const large = new File([bytes], "large.bin");
    const first = await readFiles([large, new File(["more"], "more.txt")], []);
    expect(first.refusals).toEqual(["more.txt is too large: a question can have 7 MB of files."]);
    const [, data = ""] = first.files[0]?.url.split(",") ?? [];
    expect(Buffer.from(data, "base64").equals(bytes)).toBe(true);
    const second = await readFiles([new File(["more"], "more.txt")], first.files);
    expect(second.files).toEqual([]);
  });

  it("refuses what is empty, one too many, and what cannot be read", async () => {
    const many = Array.from({ length: most.files + 1 }, (_, nth) => new File(["x"], `${nth}`));
    const folder = Object.assign(new File(["x"], "folder"), {
      arrayBuffer: () => Promise.reject(new Error("NotFoundError")),
    });
    const { files, refusals } = await readFiles([new File([], "none"), folder, ...many], []);
    expect(files).toHaveLength(most.files);
    expect(refusals).toEqual([
      "none is empty.",
      "folder cannot be read. Is it a folder?",
      "20 was not added: a question can have 20 files.",
    ]);
  });
});
