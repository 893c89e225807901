// Builds the site into site/dist, or serves it while its pages change.
// Usage: node site/build.mjs [--dev] [--out FOLDER] [--install]; the last one only installs the tools
// KGEN_SITE_BASE: path of the site on its host, such as `/v0.1/`. Default: `/`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = fileURLToPath(new URL('.', import.meta.url));
const { values } = parseArgs({
  options: { dev: { type: 'boolean' }, out: { type: 'string' }, install: { type: 'boolean' } },
});

/** Runs a program in the folder of the site; exits if it fails. */
function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: here, stdio: 'inherit', ...options });
  if (error !== undefined) console.error(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

// VitePress and typedoc are installed for those who build the site only.
const stamp = `${here}node_modules/.kgen-site`;
const lock = createHash('sha256')
  .update(readFileSync(`${here}package-lock.json`))
  .digest('hex');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  const args = ['ci', '--workspaces=false', '--ignore-scripts', '--no-audit', '--no-fund'];
  run('npm', args, { shell: process.platform === 'win32' });
  writeFileSync(stamp, lock);
}
if (values.install === true) process.exit();
run(process.execPath, ['reference.mjs']);
const out = values.out === undefined ? [] : ['--outDir', values.out];
const command = values.dev === true ? ['dev', '.'] : ['build', '.', ...out];
run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', ...command]);
