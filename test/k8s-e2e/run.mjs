// Runs suites of others against the server in memory: see the usage in run.ts.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = import.meta.dirname;
const bundles = join(here, '../../node_modules/.k8s-e2e');
const outfile = join(bundles, `run-${process.pid}.mjs`);
let code = 1;
try {
  await mkdir(bundles, { recursive: true });
  await build({
    entryPoints: [join(here, 'run.ts')],
    ...{ bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'error' },
    // Packages of this repository are imported as users import them.
    ...{ packages: 'external', tsconfigRaw: {} },
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(here, 'run.mjs')).href) },
  });
  const { main } = await import(pathToFileURL(outfile).href);
  code = await main(process.argv.slice(2));
} finally {
  await rm(outfile, { force: true });
}
process.exit(code);
