import { connect, createServer, type Server } from "node:net";

/** Greets clients with a process id of its own, as poolers do. */
export function startPooler(
  target: number,
): Promise<{ readonly port: number; readonly server: Server }> {
  const server = createServer((client) => {
    const engine = connect(target, "127.0.0.1");
    for (const socket of [client, engine]) socket.on("error", () => undefined);
    client.pipe(engine);
    engine.on("data", (bytes) => {
      const at = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
      if (at >= 0) bytes.writeInt32BE(7, at + 5);
      client.write(bytes);
    });
    engine.on("close", () => client.destroy());
    client.on("close", () => engine.destroy());
  });
  return new Promise((done) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      done({ port: typeof address === "object" && address ? address.port : 0, server });
    });
  });
}
