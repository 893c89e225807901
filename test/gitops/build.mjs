#!/usr/bin/env node
// Builds the Go program that applies objects as Flux does, and prints its path.
import { join } from 'node:path';
import { main } from '../envtest/go-program.mjs';

await main({
  name: 'gitops',
  source: join(import.meta.dirname, 'go'),
  usage: `usage: node test/gitops/build.mjs [--optional]

Builds the Go program that applies objects as Flux does, if it is not there yet, and prints its path.
--optional  without Go: print nothing and end with code 0
Exit codes: 0 done, 1 the build failed, 2 wrong usage.`,
});
