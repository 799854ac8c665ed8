import { vi } from "vitest";

// Where Node's client may not be used as it is, the same faults come through `fetch`.
vi.mock("./node-client.ts", () => ({ runtimePost: () => undefined }));

await import("./abort.test.ts");
await import("./send.test.ts");
await import("./stream.test.ts");
