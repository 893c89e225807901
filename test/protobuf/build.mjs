#!/usr/bin/env node
// Builds the Go program for comparisons of protobuf, and prints its path.
import { join } from 'node:path';
import { main } from '../envtest/go-program.mjs';

await main({
  name: 'protobuf',
  source: join(import.meta.dirname, 'go'),
  usage: `usage: node test/protobuf/build.mjs [--optional]

Builds the Go program that protobuf is compared with, if it is not there yet, and prints its path.
--optional  without Go: print nothing and end with code 0
Exit codes: 0 done, 1 the build failed, 2 wrong usage.`,
});
