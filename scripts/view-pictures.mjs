// Takes the pictures of docs/view.md from the real page, while a test walks through it.
// Usage: node scripts/view-pictures.mjs
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const { status } = spawnSync('npx', ['vitest', 'run', 'test/view/walk.test.ts'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, KGEN_PICTURES: '1' },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
