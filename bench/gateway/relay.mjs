import { Agent, createServer, request } from "node:http";

/** Passes every request on to another address and the bytes of the answer back: the least a gateway can do. */
const { hostname, port, pathname } = new URL(process.argv[2]);
const agent = new Agent({ keepAlive: true });

/** Headers of one connection. */
const onward = ({ host: _host, connection: _link, "transfer-encoding": _chunked, ...headers }) =>
  headers;

const server = createServer((asked, answer) => {
  const { method, url } = asked;
  const options = { hostname, port, agent, method, path: pathname + url };
  const sent = request({ ...options, headers: onward(asked.headers) }, (answered) => {
    answer.writeHead(answered.statusCode, onward(answered.headers));
    answered.pipe(answer);
  });
  sent.on("error", () => answer.destroy());
  asked.pipe(sent);
});

server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
