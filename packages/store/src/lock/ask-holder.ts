import { connect } from "node:net";
import { hasCode } from "../store-error.ts";

/**
 * A silent holder counts as holding: a busy process does not answer, and it is not dead. Silence is
 * counted in short waits, so that one that took long because this process itself was held up, with
 * the answer unread, is no more than one of them.
 */
const silence = { waits: 6, waitMs: 50 } as const;

export const askHolder = (path: string): Promise<"gone" | "waits" | "holds"> =>
  new Promise((answer) => {
    const socket = connect(path);
    const finish = (verdict: "gone" | "waits" | "holds"): void => {
      clearInterval(timer);
      socket.destroy();
      answer(verdict);
    };
    let waits = 0;
    const timer = setInterval(() => {
      waits += 1;
      if (waits === silence.waits) finish("holds");
    }, silence.waitMs);
    socket.on("data", (bytes) => finish(bytes.includes("waits") ? "waits" : "holds"));
    socket.on("end", () => finish("holds"));
    socket.on("error", (error) =>
      finish(hasCode(error, "ECONNREFUSED") || hasCode(error, "ENOENT") ? "gone" : "holds"),
    );
  });
