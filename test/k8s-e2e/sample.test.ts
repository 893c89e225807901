/** A sample of Kubernetes' own specs passes on the server in memory. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controlPlaneAvailability } from '@kgen/testing';
import { describe, expect, test } from 'vitest';
import { readPasses } from './passes.ts';
import { runKubernetes } from './suites/kubernetes.ts';

const { available } = controlPlaneAvailability();

/** One of so many specs is in the sample. */
const every = 20;

describe.runIf(available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined)('specs of Kubernetes', () => {
  test('pass on the server in memory', { timeout: 3_600_000 }, async () => {
    const output = await mkdtemp(join(tmpdir(), 'kgen-e2e-'));
    const sample = readPasses().filter((name, index) => index % every === 0 && !name.includes('[Slow]'));
    const halves = [0, 1].map((half) => sample.filter((_name, index) => index % 2 === half));
    const specs = await Promise.all(
      halves.map((names, half) => runKubernetes(names, 'memory', join(output, `log-${half}`))),
    );
    const failures = specs.flat().filter(({ outcome }) => outcome !== 'passed');
    expect(failures).toEqual([]);
    expect(
      specs
        .flat()
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...sample].sort());
    await rm(output, { recursive: true });
  });
});
