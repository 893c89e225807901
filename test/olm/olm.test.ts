/** Bundles of operators: the validators of the Operator Framework, and the definition of OLM on a server. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClusterConfig, RESTClient } from '@kgen/runtime';
import { applyManifests } from '@kgen/runtime/manifests';
import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatProblem } from '../../src/kgen/common/problems.ts';
import { manifests } from '../../src/kgen/manifests/manifests.ts';
import { writeBundle } from '../../src/kgen/project/bundle/bundle.ts';
import { repository } from '../support/emitted.ts';
import { buildTimeoutMs } from '../support/kubectl.ts';
import { putFiles, writeShopOperator } from '../support/shop-operator.ts';

const isAvailable = controlPlaneAvailability().available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;
const settings = {
  categories: ['Database'],
  links: [{ name: 'Documentation', url: 'https://example.com/docs' }],
  maintainers: [{ name: 'Ada', email: 'ada@example.com' }],
  replaces: '0.9.0',
  skipRange: '>=0.5.0 <1.0.0',
  channels: ['stable', 'candidate'],
} as const;
const redisSample = (version: string): string =>
  `apiVersion: cache.example.com/${version}\nkind: RedisCluster\nmetadata:\n  name: carts\nspec:\n  version: '7.4'\n  replicas: 3\n`;

/** Projects, each with its folder. */
const projects: Readonly<Record<string, (cwd: string) => Promise<void>>> = {
  'a new project': async (cwd) => {
    const kgen = (...args: readonly string[]): string =>
      execFileSync(process.execPath, [join(repository, 'src/kgen/bin/kgen.js'), ...args], {
        ...({ cwd, encoding: 'utf8', stdio: 'pipe' } as const),
      });
    kgen('init', 'my-operator', '--domain', 'example.com');
    kgen('create', 'api', '--group', 'shop', '--version', 'v1alpha1', '--kind', 'Cart');
    kgen();
  },
  'an operator with two versions and webhooks': async (cwd) => {
    writeShopOperator(cwd);
    await written({ cwd });
  },
  'the operator of RedisClusters': async (cwd) => {
    const example = join(repository, 'examples/operators/rediscluster');
    for (const folder of ['api', 'src', 'generated'])
      cpSync(join(example, folder), join(cwd, folder), { recursive: true });
    putFiles(cwd, {
      'package.json': '{"name":"rediscluster-operator","version":"1.0.0","type":"module"}',
      'samples/clusters.yaml': ['v1', 'v1alpha1'].map(redisSample).join('---\n'),
    });
    await written({ cwd });
  },
};

async function written(options: Parameters<typeof manifests>[0]): Promise<void> {
  const cacheFolder = mkdtempSync(join(tmpdir(), 'kgen-cache-'));
  const deployment = { image: 'registry.example.com/operator:1.0.0' };
  const { problems } = await manifests({ ...options, cacheFolder, deployment });
  rmSync(cacheFolder, { recursive: true });
  expect(problems.map(formatProblem)).toEqual([]);
}

/** Warnings of the validators, each with its reason. */
const reasons: readonly (readonly [warning: RegExp, reason: string])[] = [
  [/The "operatorhub" validator is deprecated/, 'the validators that replace it are used too'],
];

describe.skipIf(!isAvailable)('the bundle of', () => {
  let program = '';
  let stop = async (): Promise<void> => undefined;
  let config: ClusterConfig;
  const validators = (...args: readonly string[]): string =>
    execFileSync(program, args, { encoding: 'utf8', maxBuffer: 64_000_000 });

  beforeAll(async () => {
    const script = join(import.meta.dirname, 'build.mjs');
    program = execFileSync(process.execPath, [script], {
      ...({ encoding: 'utf8', timeout: buildTimeoutMs } as const),
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    ({ config, stop } = await startControlPlane());
    await applyManifests(config, validators('definition'), { fieldManager: 'olm' });
  }, buildTimeoutMs);
  afterAll(() => stop());

  test.each(Object.entries(projects))('%s is valid', { timeout: 300_000 }, async (_, create) => {
    const cwd = mkdtempSync(join(tmpdir(), 'kgen-olm-'));
    try {
      symlinkSync(join(repository, 'node_modules'), join(cwd, 'node_modules'), 'junction');
      await create(cwd);
      const run = (mode: 'write' | 'check') => writeBundle({ cwd, settings, version: '1.0.0', mode });
      const images = /:latest changes without a new version/;
      const problems = run('write').problems.filter(({ what }) => !images.test(what));
      expect(problems.map(formatProblem)).toEqual([]);
      expect(run('check').ok).toBe(true);
      const found: unknown = JSON.parse(validators('validate', join(cwd, 'bundle')));
      expect(unexplained(found)).toEqual([]);
      const results = await applyManifests(config, textsIn(join(cwd, 'bundle/manifests')), {
        ...({ fieldManager: 'test', dryRun: 'All', namespace: 'default' } as const),
      });
      expect(results.every(({ action }) => action === 'created')).toBe(true);
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });

  test('an operator with a mistake is refused by the validators', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'kgen-olm-'));
    try {
      const object = { apiVersion: 'operators.coreos.com/v1alpha1', kind: 'ClusterServiceVersion' };
      putFiles(cwd, { 'manifests/a.yaml': JSON.stringify({ ...object, metadata: { name: 'a' }, spec: {} }) });
      const found = JSON.stringify(unexplained(JSON.parse(validators('validate', cwd))));
      expect(found).toContain('install modes not found');
      const rest = new RESTClient(config);
      await expect(
        applyManifests(rest, readFileSync(join(cwd, 'manifests/a.yaml'), 'utf8'), {
          ...({ fieldManager: 'test', dryRun: 'All', namespace: 'default' } as const),
        }),
      ).rejects.toThrow('spec.displayName');
      await rest.close();
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });
});

interface Finding {
  readonly suite: string;
  readonly level: string;
  readonly message: string;
}

function unexplained(found: unknown): readonly Finding[] {
  expect(found).toBeInstanceOf(Array);
  const all = found as readonly Finding[]; // seam: the output of main.go
  return all.filter(({ message }) => !reasons.some(([warning]) => warning.test(message)));
}

function textsIn(folder: string): string {
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('---\n');
}
