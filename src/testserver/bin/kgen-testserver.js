#!/usr/bin/env node
// Node.js warns if both are set, in the middle of the output: FORCE_COLOR wins.
if (process.env.FORCE_COLOR !== undefined) delete process.env.NO_COLOR;
await import('../dist/server/command/main.js');
