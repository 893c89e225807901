// The sources of kubectl's command tests: in the Go module cache, which the Go module proxy fills.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const release = 'v1.36.3';

/** Parts of Kubernetes that the tests need. */
const parts = [
  'hack/lib',
  'hack/testdata',
  'test/cmd',
  'test/e2e/testing-manifests',
  'test/fixtures',
  'third_party/forked/shell2junit',
];

/** Returns the folder of the sources of Kubernetes, which are downloaded if they are missing. */
export function sourcesOf() {
  const args = ['mod', 'download', '-json', `k8s.io/kubernetes@${release}`];
  const printed = execFileSync('go', args, {
    cwd: tmpdir(),
    encoding: 'utf8',
    env: { ...process.env, GOWORK: 'off' },
  });
  return JSON.parse(printed).Dir;
}

/** Copies the tests into a new folder that they may change, and returns it. */
export function copyTests(sources) {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-kubectl-cmd-'));
  for (const part of parts) {
    mkdirSync(join(folder, part), { recursive: true });
    cpSync(join(sources, part), join(folder, part), { recursive: true });
  }
  execFileSync('chmod', ['-R', 'u+w', folder]);
  return folder;
}

/** Returns the names of all functions, in the order of the script that runs them. */
export function functionsOf(sources) {
  const script = readFileSync(join(sources, 'test/cmd/legacy-script.sh'), 'utf8');
  const recorded = [...script.matchAll(/^\s*record_command (run_\w+)/gm)].map(([, name]) => name);
  return [...new Set(recorded)];
}

/** Returns the functions that pass on the server in memory. */
export function passingFunctions() {
  const lines = readFileSync(join(import.meta.dirname, 'passes.txt'), 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('run_'));
}
