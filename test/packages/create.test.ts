/** The published packages `create-kgen` and `kgen`: a new project, as `npm create kgen` makes it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repository } from '../support/emitted.ts';
import { installPacked, manifestOf } from '../support/packed-packages.ts';

const packages = ['src/create-kgen', 'src/kgen', 'src/schema', 'src/runtime'];

test('create-kgen makes a project that depends on the packages of its version', () => {
  const { folder, dispose } = installPacked(packages, [
    '@noble/hashes',
    'commander',
    'node-diff3',
    'js-yaml',
    're2js',
    'undici',
    'yaml',
  ]);
  onTestFinished(dispose);
  const bin = join(folder, 'node_modules/create-kgen/bin/create-kgen.js');
  const args = [bin, 'my-operator', '--domain', 'example.com', '--packages', 'pnpm', '--no-install'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('  1. cd my-operator\n  2. pnpm install\n  3. pnpm exec kgen create api');
  const { version } = manifestOf(join(repository, 'src/create-kgen'));
  const written = JSON.parse(readFileSync(join(folder, 'my-operator/package.json'), 'utf8'));
  expect(written).toMatchObject({ devDependencies: { kgen: version } });
});
