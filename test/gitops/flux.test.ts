/** The apply of Flux' controllers, by their Go library, on the server in memory and on a real one. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { startTestServer } from '@kgen/testserver';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildTimeoutMs } from '../support/kubectl.ts';

const isAvailable = controlPlaneAvailability().available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;
const shop = readFileSync(join(import.meta.dirname, 'shop.yaml'), 'utf8');

/** Subjects of the objects as the program prints them. */
const subjects = [
  'CustomResourceDefinition/carts.shop.example.com',
  'Namespace/shop',
  'Cart/shop/first',
  'ConfigMap/shop/settings',
  'Secret/shop/password',
  'Service/shop/web',
];
const workloads = ['Deployment/shop/web', 'Job/shop/migrate'];

describe.skipIf(!isAvailable)('Flux', () => {
  let program = '';
  let folder = '';
  beforeAll(() => {
    const options = { encoding: 'utf8', timeout: buildTimeoutMs } as const;
    const script = join(import.meta.dirname, 'build.mjs');
    program = execFileSync(process.execPath, [script], {
      ...options,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    folder = mkdtempSync(join(tmpdir(), 'kgen-gitops-'));
  }, buildTimeoutMs);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the program with objects, and returns its lines. */
  async function observe(kubeconfig: string, objects: string): Promise<readonly string[]> {
    const file = join(folder, 'kubeconfig');
    writeFileSync(file, kubeconfig, { mode: 0o600 });
    const child = spawn(program, [file]);
    child.stdin.end(objects);
    const ended = new Promise((resolve) => child.once('close', resolve));
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(await ended, output + errors).toBe(0);
    return output.trim().split('\n');
  }

  test('applies, waits, finds and repairs drift, replaces and deletes on the server in memory', async () => {
    const server = await startTestServer();
    onTestFinished(() => server.stop());
    const every = [...subjects, ...workloads];
    const drifted = (subject: string): string =>
      subject.startsWith('ConfigMap') ? 'configured' : 'unchanged';
    const lines = await observe(server.kubeconfig, shop);
    expect([...lines].sort()).toEqual(
      [
        ...every.map((subject) => `apply ${subject} created`),
        ...every.map((subject) => `apply ${subject} unchanged`),
        ...every.map((subject) => `diff ${subject} ${drifted(subject)}`),
        ...every.map((subject) => `repair ${subject} ${drifted(subject)}`),
        'data map[color:blue] kustomize-controller/Apply',
        'immutable true',
        'force Job/shop/migrate created',
        ...every.map((subject) => `delete ${subject} deleted`),
      ].sort(),
    );
  }, 120_000);

  test('observes the same on a real server, which has no Pods', async () => {
    const server = await startTestServer();
    onTestFinished(() => server.stop());
    const plane = await startControlPlane({ controllerManager: true });
    onTestFinished(() => plane.stop());
    const documents = loadAll(shop) as readonly { readonly kind: string }[]; // seam: the file is of this folder
    const kinds = new Set(workloads.map((subject) => subject.split('/')[0]));
    const objects = documents
      .filter(({ kind }) => !kinds.has(kind))
      .map((document) => JSON.stringify(document))
      .join('\n---\n');
    const real = await observe(plane.kubeconfig, objects);
    expect(real.length).toBeGreaterThan(30);
    expect(await observe(server.kubeconfig, objects)).toEqual(real);
  }, 240_000);
});
