#!/usr/bin/env node
// npm links a command only where its file is there at `npm ci`, and a fresh clone is not built yet.
await import("../dist/main.js");
