/**
 * Walkthroughs of the documentation, done by a reader on a real control plane. With
 * `--disable-console-intercept`, each command is printed beside its comment, which is kubebuilder's command
 * on the page about kubebuilder.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deadline } from '../support/cluster-tests.ts';
import { findKubectl } from '../support/kubectl.ts';
import { root } from './pages.ts';
import { ProcessKubelet } from './walkthrough/kubelet.ts';
import { stepsOf } from './walkthrough/steps.ts';
import { Terminal } from './walkthrough/terminal.ts';

const { available } = controlPlaneAvailability({ controllerManager: true });
const isRequired = process.env['KGEN_NOTHING_SKIPPED'] !== undefined;

describe.runIf(available || isRequired)('a reader', () => {
  test.each(['docs/kubebuilder-walk.md', 'docs/tutorial.md'])(
    'does the steps of %s',
    { timeout: 1_200_000 },
    async (page) => {
      const folder = mkdtempSync(join(tmpdir(), 'kgen-walk-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const plane = await startControlPlane({ controllerManager: true });
      onTestFinished(() => plane.stop());
      const kubectl = findKubectl(plane.assets, true) ?? 'kubectl';
      const kubeconfig = join(folder, 'kubeconfig');
      writeFileSync(kubeconfig, plane.kubeconfig);
      const left = (): readonly string[] => everything(kubectl, kubeconfig);
      const terminal = new Terminal({ folder, kubeconfig, tools: join(kubectl, '..'), print: console.log });
      const kubelet = new ProcessKubelet(plane, (image) =>
        /^(\S+\/)?\w+-operator:/.test(image) ? join(terminal.folder, 'dist/app/operator.mjs') : undefined,
      );
      await kubelet.start();
      onTestFinished(() => kubelet.stop());
      const before = new Set(left());
      onTestFinished(() => terminal.close());
      for (const step of stepsOf(readFileSync(join(root, page), 'utf8'))) await terminal.do(step);
      await expect.poll(() => left().filter((name) => !before.has(name)), deadline).toEqual([]);
    },
  );
});

/** Returns the names of all objects of a cluster besides those that the cluster itself writes. */
function everything(kubectl: string, kubeconfig: string): readonly string[] {
  const run = (...args: readonly string[]): string =>
    execFileSync(kubectl, ['--kubeconfig', kubeconfig, ...args], { encoding: 'utf8' });
  const kinds = run('api-resources', '--verbs=list,delete', '-o', 'name').split('\n');
  const own = /^(events|leases\.coordination|endpointslices)/;
  const some = kinds.filter((kind) => kind !== '' && !own.test(kind));
  return run('get', some.join(','), '-A', '--ignore-not-found', '-o', 'name').split('\n').sort();
}
