#!/usr/bin/env node
// `npm create kgen my-operator` runs `kgen new my-operator`.
process.argv.splice(2, 0, 'new');
await import('kgen/cli');
