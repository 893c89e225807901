import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GroupVersionResource } from '@kgen/runtime';
import { type TableTextOptions, tableText } from '@kgen/runtime/dynamic';
import { describe, expect, it } from 'vitest';
import { deadline } from '../support/cluster-tests.ts';
import { findKubectl } from '../support/kubectl.ts';
import { configMaps, deployments, type Env, gadgets, widgets } from './env.ts';
import { deployment } from './objects.ts';

interface Case {
  readonly resource: GroupVersionResource;
  /** Arguments of kubectl; `-n` and the namespace are added unless all namespaces are requested. */
  readonly args: readonly string[];
  readonly options?: TableTextOptions;
  readonly everywhere?: true;
  readonly name?: string;
}

const core = (resource: string): GroupVersionResource => ({ group: '', version: 'v1', resource });
const wide: TableTextOptions = { wide: true };

const cases: Readonly<Record<string, Case>> = {
  deployments: { resource: deployments, args: ['deployments'] },
  'deployments, wide': { resource: deployments, args: ['deployments', '-o', 'wide'], options: wide },
  'one deployment': { resource: deployments, args: ['deployments', 'web'], name: 'web' },
  'custom objects': { resource: widgets, args: [`widgets.${widgets.group}`] },
  'custom objects, wide': {
    resource: widgets,
    args: [`widgets.${widgets.group}`, '-o', 'wide'],
    options: wide,
  },
  'custom objects of the cluster': {
    resource: gadgets,
    args: [`gadgets.${gadgets.group}`],
    everywhere: true,
  },
  'services of all namespaces': {
    resource: core('services'),
    args: ['services', '-A', '-o', 'wide'],
    options: { wide: true, namespaces: true },
    everywhere: true,
  },
  'without headers': {
    resource: configMaps,
    args: ['configmaps', '-A', '--no-headers'],
    options: { headers: false, namespaces: true },
    everywhere: true,
  },
  'API services': {
    resource: { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' },
    args: ['apiservices'],
    everywhere: true,
  },
};

/** Registers tests that compare tables with the output of kubectl. */
export function tableTests(env: () => Env): void {
  describe('tables', () => {
    kubectlTests(env);

    it('are watched row by row', async () => {
      const maps = env()
        .dynamic.resource(configMaps)
        .namespace(await env().namespace());
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { test: 'yes' } } };
      await maps.create(map);
      const options = { labelSelector: 'test=yes', timeoutMs: 60_000 };
      const changes = [
        () => maps.patch('a', { data: { x: '1' } }, { type: 'merge' }),
        () => maps.create({ ...map, metadata: { ...map.metadata, name: 'b' } }),
        () => maps.delete('a'),
      ];
      const seen: unknown[] = [];
      for await (const { type, object } of maps.watchTable(options)) {
        const [, line] = tableText(object).split('\n');
        seen.push(`${type} ${line?.replace(/ +\S+$/, '')}`);
        const next = changes.shift();
        if (next === undefined) break;
        await next();
      }
      expect(seen).toEqual(['ADDED a      0', 'MODIFIED a      1', 'ADDED b      0', 'DELETED a      1']);
    });

    it('contain the requested part of objects, and come in pages', async () => {
      const namespace = await filled(env());
      const apps = env().dynamic.resource(widgets).namespace(namespace);
      const first = await apps.table({ limit: 1, includeObject: 'Object' });
      expect(first.rows).toMatchObject([{ object: { kind: 'Widget', spec: { replicas: 1 } } }]);
      const second = await apps.table({ limit: 1, continue: first.metadata.continue, includeObject: 'None' });
      expect(second.rows).toHaveLength(1);
      expect(second.rows[0]?.object ?? null).toBe(null);
      const [row] = (await apps.getTable('one')).rows;
      expect(row?.object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'one' } });
      expect(row?.cells.slice(0, 2)).toEqual(['one', 1]);
    });
  });
}

/** Returns a function that runs kubectl and returns its output; `undefined` if kubectl is not available. */
async function kubectlOf({ server }: Env): Promise<((args: readonly string[]) => string) | undefined> {
  const { assets = '', folder = '', kubeconfig } = server;
  const kubectl = findKubectl(assets, Boolean(process.env['KGEN_NOTHING_SKIPPED']));
  if (kubectl === undefined) return undefined;
  const file = join(folder, 'tables.kubeconfig');
  await writeFile(file, kubeconfig);
  return (args) => execFileSync(kubectl, ['--kubeconfig', file, 'get', ...args], { encoding: 'utf8' });
}

function kubectlTests(env: () => Env): void {
  it.for(Object.entries(cases))('equal the output of kubectl: %s', async ([, requested], { skip }) => {
    const { resource, args, options, everywhere, name } = requested;
    const kubectl = await kubectlOf(env());
    if (kubectl === undefined) return skip('kubectl is not installed beside the API server');
    const namespace = await filled(env());
    const access = env().dynamic.resource(resource);
    const client = everywhere ? access : access.namespace(namespace);
    const ours = async (): Promise<string> =>
      tableText(await (name === undefined ? client.table() : client.getTable(name)), options);
    // The age of an object may change between the two.
    const both = async (): Promise<unknown> => {
      const printed = kubectl([...args, ...(everywhere ? [] : ['-n', namespace])]);
      const written = await ours();
      return printed === written ? 'the same' : { printed, written };
    };
    await expect.poll(both, deadline).toBe('the same');
  });
}

/** Creates a namespace with objects. */
async function filled({ dynamic, namespace }: Env): Promise<string> {
  const name = await namespace();
  const widget = { apiVersion: 'dynamic.example.com/v1', kind: 'Widget' };
  const apps = dynamic.resource(widgets).namespace(name);
  await apps.create({ ...widget, metadata: { name: 'one' }, spec: { replicas: 1, note: 'two\nlines' } });
  await apps.create({
    ...widget,
    metadata: { name: 'two-with-a-long-name' },
    spec: { note: '\u001b[31mred ü 世界' },
  });
  await dynamic.resource(deployments).namespace(name).create(deployment('web'));
  await dynamic
    .resource(gadgets)
    .create({ ...widget, kind: 'Gadget', metadata: { generateName: 'gadget-' } });
  return name;
}
