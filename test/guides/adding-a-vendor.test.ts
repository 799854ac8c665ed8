import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Agent, resolveModel, type JsonObject } from "mull";
import { rolldown } from "rolldown";
import { describe, expect, test } from "vitest";
import { acme } from "./acme.ts";

const folder = join(import.meta.dirname, "../../packages/mull/src/vendors");
const guide = readFileSync(
  join(import.meta.dirname, "../../docs/contributing/adding-a-vendor.md"),
  "utf8",
);
const vendor = readFileSync(join(import.meta.dirname, "acme.ts"), "utf8");

const chunk = (delta: JsonObject, finish?: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish ?? null }] })}\n\n`;

const stream = [
  chunk({ role: "assistant", reasoning_content: "Twenty-three " }),
  chunk({ reasoning_content: "times two." }),
  chunk({ content: "46" }),
  chunk({}, "stop"),
  "data: [DONE]\n\n",
].join("");

function agentOf(): { readonly agent: Agent; readonly sent: JsonObject[] } {
  const sent: JsonObject[] = [];
  const agent = new Agent(resolveModel("acme:acme-one/high", { providers: [acme] }), {
    env: { ACME_API_KEY: "k" },
    fetch: (_, init) => {
      sent.push(JSON.parse(init.body as string) as JsonObject);
      const headers = { "content-type": "text/event-stream" };
      return Promise.resolve(new Response(stream, { headers }));
    },
  });
  return { agent, sent };
}

describe("R227 the five steps of the guide make a vendor that thinks", () => {
  test("the code in the guide is the code that is tested", () => {
    const blocks = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!.trimEnd());
    const own = blocks.filter((code) => !code.includes("import "));
    expect(own.length).toBe(4);
    for (const code of own) expect(vendor).toContain(code);
    const steps = [...guide.matchAll(/^## (\d)\./gm)].map(([, step]) => step);
    expect(steps.join("")).toBe("12345");
  });

  test("step 1: it declares thinking", () => {
    expect(acme.capabilities).toContain("thinking");
    expect(resolveModel("acme:acme-two", { providers: [acme] }).model.assumed).toBe(true);
  });

  test("step 2: the level reaches the vendor in its own spelling", async () => {
    const { agent, sent } = agentOf();
    await agent.send("23 * 2?");
    await agent.use({ level: "none" }).send("again?");
    expect(sent[0]).toMatchObject({ thinking: { type: "enabled" }, reasoning_effort: "high" });
    expect(sent[1]).toMatchObject({ thinking: { type: "disabled" } });
  });

  test("steps 3 to 5: deltas, no thinking among the parts, the whole text attached", async () => {
    const { agent } = agentOf();
    const deltas: string[] = [];
    const turn = agent.sendStream("23 * 2?");
    for await (const part of turn) if (part.thinking !== undefined) deltas.push(part.thinking);
    expect(deltas).toEqual(["Twenty-three ", "times two."]);
    const result = await turn.result();
    expect(result.output.parts).toEqual([{ type: "text", text: "46" }]);
    expect(result.metadata.thinking).toBe("Twenty-three times two.");
  });
});

/** The library as it is once the guide's file and its line are there. */
async function withVendor(): Promise<typeof import("mull")> {
  const file = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)]
    .map(([, code]) => code!)
    .find((code) => code.includes("vendor({"));
  const bundle = await rolldown({
    input: join(import.meta.dirname, "../../packages/mull/src/index.ts"),
    plugins: [
      {
        name: "one-file-one-line",
        resolveId: (id) => (id.endsWith("/acme.ts") ? join(folder, "acme.ts") : null),
        load: (id) => (id === join(folder, "acme.ts") ? file! : null),
        transform: (code, id) =>
          id === join(folder, "makers.ts")
            ? `import { acme } from "./acme.ts";\n${code.replace(/\];\s*$/, "  acme,\n];\n")}`
            : null,
      },
    ],
  });
  const { output } = await bundle.generate({ format: "esm" });
  const source = Buffer.from(output[0].code).toString("base64");
  return (await import(`data:text/javascript;base64,${source}`)) as typeof import("mull");
}

describe("a vendor of the library is one file and its line in a list", () => {
  test("names, models, address, key and quirks all come from the file", async () => {
    const mull = await withVendor();
    expect(mull.providerName("acme")).toBe("Acme");
    expect(mull.findProvider("acme-ai")).toMatchObject({
      id: "acme",
      wire: { id: "openai-chat" },
      keyVariables: ["ACME_API_KEY"],
      baseUrlVariable: "ACME_BASE_URL",
      quirks: { knob: "thinking-type+effort" },
    });
    expect(mull.resolveModel("acme-one/high")).toMatchObject({
      provider: { id: "acme" },
      model: { id: "acme-one", provider: "acme", wire: "openai-chat", outputCap: 32_000 },
      level: "high",
    });
    expect(mull.findModel("acme-nine").assumed).toBe(true);
    expect(() => mull.parseModelRef("acme-one/hihg")).toThrow('Unknown level "hihg"');
  });

  test("a request reaches it as its file says", async () => {
    const mull = await withVendor();
    let sent: JsonObject = {};
    const { text, thinking } = await mull.chat(
      "acme-one/high",
      { messages: [{ role: "user", parts: [{ type: "text", text: "23 * 2?" }] }] },
      {
        env: { ACME_API_KEY: "k" },
        fetch: (_, init) => {
          sent = JSON.parse(init.body as string) as JsonObject;
          const headers = { "content-type": "text/event-stream" };
          return Promise.resolve(new Response(stream, { headers }));
        },
      },
    );
    expect(sent).toMatchObject({ thinking: { type: "enabled" }, reasoning_effort: "high" });
    expect([text, thinking]).toEqual(["46", "Twenty-three times two."]);
  });
});
