import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { controlPlaneAvailability } from './controlplane.ts';

const config = fileURLToPath(new URL('./fixtures/vitest.config.mjs', import.meta.url));
const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url));
const deadline = { timeout: 60_000, interval: 100 };

/** Returns command lines that contain the folder, which are those of the watchdog and all servers. */
function processesOf(folder: string): readonly string[] {
  const lines = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(folder));
}

function startRunner(output: string, pool: string): ChildProcess {
  const env = { ...process.env, KGEN_TEST_OUTPUT: output, KGEN_TEST_POOL: pool };
  return spawn(process.execPath, [vitest, 'run', '--config', config], { env, stdio: 'ignore' });
}

describe.skipIf(!controlPlaneAvailability().available)(
  'a test runner that is terminated from outside',
  () => {
    let temp = '';
    let runner: ChildProcess | undefined;
    beforeEach(() => {
      temp = mkdtempSync(join(tmpdir(), 'kgen-test-'));
    });
    afterEach(() => {
      runner?.kill('SIGKILL');
      rmSync(temp, { recursive: true });
    });

    it.each([
      { signal: 'SIGKILL', pool: 'forks' },
      { signal: 'SIGTERM', pool: 'forks' },
      { signal: 'SIGINT', pool: 'forks' },
      { signal: 'SIGKILL', pool: 'threads' },
    ] as const)(
      'leaves no process and no file after $signal ($pool)',
      { timeout: 180_000 },
      async ({ signal, pool }) => {
        const output = join(temp, 'folder');
        runner = startRunner(output, pool);
        await expect.poll(() => existsSync(output) && readFileSync(output, 'utf8'), deadline).toBeTruthy();
        const folder = readFileSync(output, 'utf8');
        expect(processesOf(folder)).toHaveLength(3);

        runner.kill(signal);

        await expect.poll(() => processesOf(folder), deadline).toEqual([]);
        expect(existsSync(folder)).toBe(false);
      },
    );
  },
);
