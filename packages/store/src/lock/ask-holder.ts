import { connect } from "node:net";
import { hasCode } from "../store-error.ts";

/**
 * A silent holder counts as alive, because a busy process doesn't answer. Silence is counted in
 * short waits: if this process was held up itself and the answer lies unread, that counts as one
 * wait only.
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
