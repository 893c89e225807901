#!/usr/bin/env node
// `npm create kgen my-operator` runs `kgen new my-operator`.
process.argv.splice(2, 0, 'new');
// Node.js warns if both are set, in the middle of the output: FORCE_COLOR wins.
if (process.env.FORCE_COLOR !== undefined) delete process.env.NO_COLOR;
await import('kgen/cli');
