import { connect } from "node:net";
import { hasCode } from "../store-error.ts";

/** A silent holder counts as holding: a busy process does not answer, and it is not dead. */
const answerMs = 300;

export const askHolder = (path: string): Promise<"gone" | "waits" | "holds"> =>
  new Promise((answer) => {
    const socket = connect(path);
    const finish = (verdict: "gone" | "waits" | "holds"): void => {
      clearTimeout(timer);
      socket.destroy();
      answer(verdict);
    };
    const timer = setTimeout(() => finish("holds"), answerMs);
    socket.on("data", (bytes) => finish(bytes.includes("waits") ? "waits" : "holds"));
    socket.on("end", () => finish("holds"));
    socket.on("error", (error) =>
      finish(hasCode(error, "ECONNREFUSED") || hasCode(error, "ENOENT") ? "gone" : "holds"),
    );
  });
