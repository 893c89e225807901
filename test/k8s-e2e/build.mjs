#!/usr/bin/env node
// Builds the program with Kubernetes' end-to-end specs, and prints its path.
import { join } from 'node:path';
import { main } from '../envtest/go-program.mjs';

await main({
  name: 'k8s-e2e',
  source: join(import.meta.dirname, 'kubernetes'),
  usage: `usage: node test/k8s-e2e/build.mjs [--optional]

Builds the program with Kubernetes' end-to-end specs, if it is not there yet, and prints its path. It takes
about ten minutes on two cores the first time.
--optional  without Go: print nothing and end with code 0
Exit codes: 0 done, 1 the build failed, 2 wrong usage.`,
});
