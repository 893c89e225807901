// Writes the clients that this version generates into test/compatibility/fixtures/<version>. Later versions
// of the runtime are tested with them: run it for each release, and keep the folders of all releases.
// KGEN_CORPUS=<folder with openapi/> node scripts/compatibility.mjs

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'src/kgen/package.json'), 'utf8'));
const api = join(process.env.KGEN_CORPUS ?? join(root, '../shared'), 'openapi/kubernetes-v2.json');
const inputs = {
  crds: ['crds/*.yaml'],
  kubernetes: [
    '--openapi',
    api,
    '--include',
    'core/v1/ConfigMap,coordination.k8s.io/v1',
    '--no-descriptions',
  ],
};

for (const [name, args] of Object.entries(inputs)) {
  const out = join(root, 'test/compatibility/fixtures', version, name);
  rmSync(out, { recursive: true, force: true });
  const command = [join(root, 'src/kgen/bin/kgen.js'), ...args, '--out', out];
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
