// Writes the definitions of the example operators to crds/, from the modules in their folders api.
//   node scripts/example-crds.mjs [--check]
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatProblem, manifests } from '../src/kgen/dist/index.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const isCheck = process.argv.includes('--check');
let isOutdated = false;
for (const name of readdirSync(join(root, 'examples/operators'), { withFileTypes: true })) {
  if (!name.isDirectory()) continue;
  const input = [`examples/operators/${name.name}/api`];
  if (!existsSync(join(root, input[0]))) continue;
  // The folder does not exist: every file of the plan is a new one.
  const { problems, changes } = await manifests({
    cwd: root,
    input,
    out: '.example-crds',
    mode: 'dry-run',
    program: [],
  });
  for (const problem of problems) process.stderr.write(`${formatProblem(problem)}\n`);
  if (problems.length > 0) process.exit(1);
  const [definition] = changes.create.filter(({ path }) => path.startsWith('crd/'));
  const path = join(root, 'crds', `${name.name}.yaml`);
  if (readFileSync(path, 'utf8') === definition.after) continue;
  isOutdated = true;
  if (isCheck) process.stderr.write(`crds/${name.name}.yaml differs: run node scripts/example-crds.mjs\n`);
  else writeFileSync(path, definition.after);
}
process.exit(isCheck && isOutdated ? 1 : 0);
