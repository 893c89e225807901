#!/usr/bin/env node
// Builds the Go program that runs the validators of OLM, and prints its path.
import { join } from 'node:path';
import { main } from '../envtest/go-program.mjs';

await main({
  name: 'olm',
  source: join(import.meta.dirname, 'go'),
  usage: `usage: node test/olm/build.mjs [--optional]

Builds the Go program that runs the validators of OLM, if it is not there yet, and prints its path.
--optional  without Go: print nothing and end with code 0
Exit codes: 0 done, 1 the build failed, 2 wrong usage.`,
});
