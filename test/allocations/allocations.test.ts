/** Bytes that events and runs allocate: they are the same on a busy machine, unlike times. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

type Unit = 'skipped' | 'sent' | 'event';

/**
 * Most bytes by version of Node.js: of a run whose apply is skipped; of one that is sent, with its event and
 * the run that follows; of an event of an informer. They are about 5 % above the measured ones.
 */
const budgets: Readonly<Record<string, Readonly<Record<Unit, number>>>> = {
  20: { skipped: 43_500, sent: 162_000, event: 15_000 },
  24: { skipped: 33_000, sent: 123_000, event: 12_300 },
};

test('a run and an event allocate at most their budget', () => {
  const [major = ''] = process.versions.node.split('.');
  // Other releases have their own figures, between these.
  const budget = budgets[major] ?? budgets[20];
  // Without collections, all that was allocated is in the heap.
  const flags = ['--expose-gc', '--min-semi-space-size=512', '--max-semi-space-size=512'];
  const program = join(import.meta.dirname, 'program.mjs');
  const output = execFileSync(process.execPath, [...flags, program], { encoding: 'utf8' });
  // seam: the output of the program
  const figures = JSON.parse(output) as Readonly<Record<Unit, number>>;
  for (const unit of ['skipped', 'sent', 'event'] as const)
    expect(figures[unit], `bytes: ${output}`).toBeLessThan(budget?.[unit] ?? 0);
});
