#!/usr/bin/env node
// Builds the Go program that runs controller-gen, and prints its path.
import { join } from 'node:path';
import { main } from '../envtest/go-program.mjs';

await main({
  name: 'controller-gen',
  source: join(import.meta.dirname, 'go'),
  usage: `usage: node test/controller-gen/build.mjs [--optional]

Builds the Go program that runs controller-gen, if it is not there yet, and prints its path.
--optional  without Go: print nothing and end with code 0
Exit codes: 0 done, 1 the build failed, 2 wrong usage.`,
});
