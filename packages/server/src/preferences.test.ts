import { describe, expect, it } from "vitest";
import { preferenceWords } from "./routes/preferences.ts";
import { testServer } from "./testing/test-server.ts";

describe("preferences", () => {
  it("R252: what one device changes another finds, and neither undoes the other", async () => {
    const server = testServer();
    const desk = await server.signedUp("ann");
    const phone = server.visitor();
    await phone.json("POST", "/api/account/sign-in", { name: "ann", password: "correct horse" });
    await desk.json("PATCH", "/api/preferences", { theme: "dark", level: "high" });
    await phone.json("PATCH", "/api/preferences", { model: "gpt-6-sol", level: "low" });
    const kept = { theme: "dark", model: "openai:gpt-6-sol", level: "low" };
    expect(await desk.json("GET", "/api/preferences")).toEqual(kept);
    expect(await phone.json("GET", "/api/preferences")).toEqual(kept);
  });

  it("R252: every word of the table is taken", async () => {
    const ann = await testServer().signedUp("ann");
    for (const [name, words] of Object.entries(preferenceWords)) {
      for (const word of words) {
        expect(await ann.json("PATCH", "/api/preferences", { [name]: word })).toMatchObject({
          [name]: word,
        });
      }
    }
  });

  it.each([
    { theme: "pink" },
    { thinking: true },
    { model: "no such model" },
    { model: "no-such-vendor:x" },
    { level: "extreme" },
    { baseUrl: "https://evil.example" },
    { theme: null },
  ])("F-W8 F-W12: %j is refused and changes nothing", async (body) => {
    const ann = await testServer().signedUp("ann");
    await ann.json("PATCH", "/api/preferences", { theme: "light" });
    const response = await ann.call("PATCH", "/api/preferences", body);
    expect(response.status).toBe(400);
    expect(await ann.json("GET", "/api/preferences")).toEqual({ theme: "light" });
  });

  it("F-D2: what another release kept is left out and survives", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const { userId } = await ann.json<{ userId: string }>("GET", "/api/account");
    await server.store.changePreferences(userId, { theme: "sepia", font: "large", level: "med" });
    expect(await ann.json("GET", "/api/preferences")).toEqual({ level: "med" });
    await ann.json("PATCH", "/api/preferences", { level: "low" });
    expect(await server.store.getPreferences(userId)).toMatchObject({ font: "large" });
  });
});
