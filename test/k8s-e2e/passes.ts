/** The list of specs of Kubernetes that pass on the server in memory. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from './folder.ts';
import type { Spec } from './suites/spec.ts';

const file = join(folder, 'passes.txt');
const head =
  '# Specs of Kubernetes that pass on the server in memory: npm run test:e2e-kubernetes -- --update\n';

/** Returns the names of the specs that are known to pass. */
export function readPasses(): readonly string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

/** Adds the specs that passed, and removes those that ran and did not. */
export function updatePasses(specs: readonly Spec[]): void {
  const ran = new Set(specs.map(({ name }) => name));
  const passed = specs.filter(({ outcome }) => outcome === 'passed').map(({ name }) => name);
  const names = new Set([...readPasses().filter((name) => !ran.has(name)), ...passed]);
  writeFileSync(file, `${head}${[...names].sort().join('\n')}\n`);
}
