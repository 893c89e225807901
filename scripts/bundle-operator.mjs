// Bundles an operator of examples/operators into a folder, with the worker thread of the election beside it:
// node scripts/bundle-operator.mjs NAME FOLDER
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const [name, outdir] = process.argv.slice(2);

await build({
  absWorkingDir: root,
  entryPoints: {
    operator: `examples/operators/${name}/operator.ts`,
    'election-worker': 'src/runtime/dist/control/election/thread/election-worker.js',
  },
  bundle: true,
  platform: 'node',
  format: 'esm',
  // Dependencies that are CommonJS modules require the modules of Node.js.
  banner: { js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);" },
  outdir,
  logLevel: 'warning',
});
writeFileSync(join(outdir, 'package.json'), '{ "type": "module" }');
