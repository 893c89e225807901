/** Tests of the examples on a control plane, as their authors run them: with all objects of a deployment. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { controlPlaneAvailability } from '@kgen/testing';
import { expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';

const run = promisify(execFile);
const { available } = controlPlaneAvailability();
const isRequired = available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;

test.skipIf(!isRequired).each(['foo', 'myapp', 'rediscluster'])(
  '%s runs on a real API server with the objects of its deployment',
  { timeout: 240_000 },
  async (name) => {
    const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
    // The report of this run is not that of the project.
    const { KGEN_TEST_REPORT: _, KGEN_TEST_TIMES: __, ...env } = process.env;
    const cwd = join(repository, 'examples/operators', name);
    const { stdout } = await run(process.execPath, [vitest, 'run', 'e2e', '--reporter=json'], { cwd, env });
    expect(JSON.parse(stdout)).toMatchObject({ numTotalTests: 1, numPassedTests: 1 });
  },
);
