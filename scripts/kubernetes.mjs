// Generates @kgen/kubernetes from a real API server with all APIs enabled.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { run } from '../src/kgen/dist/cli/run.js';
import { startControlPlane } from '../src/testing/dist/index.js';

const usage = `usage: node scripts/kubernetes.mjs [options]

Writes generated/kubernetes as it is committed: with facts, without other people's descriptions.
--check            write nothing; exit 1 if the folder differs from what would be written
--packed           write what is published, with descriptions, into generated/kubernetes/dist
--version X.Y.Z    ask a server of this version (default: the one of test/envtest)
--out DIR          write there instead`;

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    check: { type: 'boolean' },
    packed: { type: 'boolean' },
    version: { type: 'string' },
    out: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}

const committed = join(root, 'generated/kubernetes');
const form = values.packed ? ['--emit', 'js'] : ['--no-descriptions'];
const out = values.out ?? (values.packed ? join(committed, 'dist') : committed);
const folder = await mkdtemp(join(tmpdir(), 'kgen-kubernetes-'));
if (values.packed) await rm(out, { recursive: true, force: true });

const apiServerFlags = ['--runtime-config=api/all=true'];
const server = await startControlPlane(
  values.version === undefined ? { apiServerFlags } : { apiServerFlags, version: values.version },
);
// Cached responses of other servers must not affect the published package.
process.env['XDG_CACHE_HOME'] = folder;
const paint = (text) => text;
try {
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, server.kubeconfig);
  const source = ['--from-cluster', '--kubeconfig', kubeconfig];
  const parts = ['--paths', '--protobuf', 'all', '--verify'];
  const argv = [...source, ...parts, ...form, ...(values.check ? ['--check'] : []), '--out', out];
  process.exitCode = await run(argv, {
    cwd: root,
    stdin: process.stdin,
    stdout: { isTerminal: false, hasCursor: false, write: (text) => process.stdout.write(text), paint },
    stderr: { isTerminal: false, hasCursor: false, write: (text) => process.stderr.write(text), paint },
    now: () => performance.now(),
  });
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
