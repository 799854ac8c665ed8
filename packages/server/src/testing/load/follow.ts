import { connect } from "node:net";
import type { CallOptions, Target } from "./client.ts";

/**
 * Requests a stream on a bare socket and passes its bytes on: a reader that shares the machine must
 * cost less than what it reads. Resolves at the end.
 */
export function follow(
  target: Target,
  { method = "POST", path = "/", body = "" }: CallOptions,
  onBytes: (bytes: Buffer) => void,
): Promise<void> {
  const host = `127.0.0.1:${target.port}`;
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${host}`,
    `origin: http://${host}`,
    `cookie: ${target.cookie}`,
    "connection: close",
    ...(body === ""
      ? []
      : ["content-type: application/json", `content-length: ${Buffer.byteLength(body)}`]),
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(target.port, "127.0.0.1");
    let isAnswered = false;
    socket.on("data", (bytes: Buffer) => {
      if (!isAnswered && !bytes.toString("latin1", 0, 12).endsWith("200")) {
        reject(new Error(bytes.toString()));
      }
      isAnswered = true;
      onBytes(bytes);
    });
    socket.on("error", reject);
    socket.on("close", () => resolve());
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  });
}
