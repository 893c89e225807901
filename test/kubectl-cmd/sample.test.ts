/** A sample of the command tests of kubectl on the server in memory: `npm run test:kubectl-cmd` runs all. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const sample = [
  'run_assert_categories_tests',
  'run_assert_short_name_tests',
  'run_kubectl_create_filter_tests',
  'run_kubectl_delete_interactive_tests',
  'run_kubectl_diff_same_names',
  'run_kubectl_create_validate_tests',
  'run_lists_tests',
  'run_secrets_test',
];

test('a sample of the command tests of kubectl passes', { timeout: 900_000 }, async () => {
  const script = join(import.meta.dirname, 'run.mjs');
  const failed = (cause: { readonly stdout: string }): { readonly stdout: string } => cause;
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...sample]).catch(failed);
  expect(stdout.split('\n').filter((line) => line.startsWith('FAILED'))).toEqual([]);
  expect(stdout).toContain(`${sample.length} passed, 0 failed`);
});
