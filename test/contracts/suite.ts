/** Changes of custom resources on a server, and the drifts that clients of the unchanged resources have. */
import { type ClusterConfig, RESTClient } from '@kgen/runtime';
import { checkContract, contractTests, type TestFramework } from '@kgen/testing';
import { type Drift, driftsOf, type KnownResource, nameOf } from 'kgen/contract';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readServedApi } from '../../src/testing/contract-tests/served.ts';
import { clientsOf, descriptorOf } from '../support/clients.ts';
import { deadline } from '../support/cluster-tests.ts';
import { base, definitionOf, type Row, rows } from './rows.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Registers the rows for a server. `config` returns the configuration of an administrator. */
export function changeTests(title: string, config: () => ClusterConfig): void {
  describe(title, () => {
    let clients: readonly KnownResource[] = [];
    let rest: RESTClient;

    beforeAll(async () => {
      rest = new RESTClient(config());
      await Promise.all(rows.flatMap((row, index) => created(rest, row, groupOf(index))));
      clients = await clientsOf(rows.map((_, index) => definitionOf(groupOf(index), base)));
      await vi.waitFor(async () => {
        expect(await differing(rest, clients)).toEqual([]);
      }, deadline);
    });

    it(
      'reports the same drifts to users that may only read discovery and OpenAPI',
      async () => {
        const reader = new RESTClient({ ...config(), impersonate: { user: 'reader' } });
        await vi.waitFor(async () => expect(await differing(reader, clients, true)).toEqual([]), deadline);
        await reader.close();
      },
      deadline.timeout,
    );

    it.each(rows.map((row, index) => ({ ...row, index })))('reports $title', async ({ index, ...row }) => {
      const client = clients.find(({ resource }) => resource.group === groupOf(index));
      if (client === undefined) throw new Error('the client is missing');
      const { drifts } = await checkContract([descriptorOf(client)], rest);
      expect(drifts.map(summary).sort(), drifts.map(({ message }) => message).join('\n')).toEqual(row.drifts);

      const { failures, notes } = await runTests(client, rest, row.refusesSamples === undefined ? 0 : 40);
      const isMissing = row.drifts.some((drift) => /(?:resource|version)-(?:missing|renamed)/.test(drift));
      const name = nameOf(client.resource);
      const ofResource = /(?:resource|version|verb|kind|scope|subresource|selectable-field)-(?!added)/;
      const breaking = row.drifts.filter((drift) => drift.startsWith('breaking'));
      const expected = [
        ...(breaking.some((drift) => ofResource.test(drift))
          ? [`${name}: serves the scope, verbs and subresources`]
          : []),
        ...(breaking.some((drift) => !ofResource.test(drift))
          ? [`${name}: accepts and returns the fields`]
          : []),
        ...(row.refusesSamples && !isMissing ? [`${name}: accepts samples in dry runs`] : []),
      ];
      expect(failures).toEqual(expected);
      expect(
        notes
          .filter(({ message }) => !message.startsWith('samples are not checked'))
          .map(summary)
          .sort(),
      ).toEqual(row.drifts.filter((drift) => drift.startsWith('note')));
    });
  });
}

function groupOf(index: number): string {
  return `c${index}.contracts.example.com`;
}

async function created(rest: RESTClient, { change }: Row, group: string): Promise<void> {
  if (change === undefined) return;
  const body = definitionOf(group, { ...base, ...change(base) });
  await rest.post(definitionsPath, { body });
}

/** Returns the titles of rows whose drifts are not as expected. */
async function differing(
  rest: RESTClient,
  clients: readonly KnownResource[],
  isReader = false,
): Promise<readonly string[]> {
  const api = await readServedApi(rest, clients.map(descriptorOf));
  return rows.flatMap(({ title, drifts }, index) => {
    const client = clients.find(({ resource }) => resource.group === groupOf(index));
    const found = client === undefined ? [] : driftsOf(client, api).map(summary).sort();
    // Only definitions and responses of the resource itself state a deprecation.
    const expected = isReader ? drifts.filter((drift) => !drift.startsWith('note deprecated')) : drifts;
    return found.join() === expected.join() ? [] : [`${title}: ${found.join()}`];
  });
}

function summary({ breaking, kind, path, since }: Drift): string {
  return `${breaking ? 'breaking' : 'note'} ${kind} ${path}${since === undefined ? '' : ` ${since}`}`;
}

/** Runs contract tests with a framework that records. Returns the names of those that fail. */
async function runTests(
  client: KnownResource,
  rest: RESTClient,
  samples: number,
): Promise<{ readonly failures: readonly string[]; readonly notes: readonly Drift[] }> {
  const tests: (readonly [string, () => Promise<void>])[] = [];
  const names: string[] = [];
  const framework: TestFramework = {
    describe: (name, body) => {
      names.push(name);
      body();
      names.pop();
    },
    test: (name, body) => tests.push([`${names.at(-1) ?? ''}: ${name}`, body]),
    afterAll: () => undefined,
  };
  const notes: Drift[] = [];
  await contractTests([descriptorOf(client)], rest, {
    framework,
    samples,
    onDrift: (drift) => notes.push(drift),
  });
  const failures: string[] = [];
  for (const [name, body] of tests) await body().catch(() => failures.push(name));
  return { failures, notes };
}
