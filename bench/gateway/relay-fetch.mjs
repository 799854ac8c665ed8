import { createServer } from "node:http";

/** The same relay on Node's `fetch` and web streams. Every gateway that is a request handler has these costs. */
const upstream = process.argv[2];

const onward = ({
  host: _host,
  connection: _link,
  "keep-alive": _kept,
  "transfer-encoding": _chunked,
  ...headers
}) => headers;

async function relay(asked, answer) {
  const { method } = asked;
  const init = { method, headers: onward(asked.headers), body: asked, duplex: "half" };
  const answered = await fetch(upstream + asked.url, init);
  answer.writeHead(answered.status, onward(Object.fromEntries(answered.headers)));
  for await (const chunk of answered.body) answer.write(chunk);
  answer.end();
}

const server = createServer((asked, answer) => {
  relay(asked, answer).catch(() => answer.destroy());
});

server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
