import { describe, expect, it } from 'vitest';
import { DynamicClient } from '../dynamic-client.ts';
import { recorder } from '../recorder.fixture.ts';
import type { DynamicResourceClient } from '../verbs.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };
const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const path = '/api/v1/namespaces/shop/pods';

function shop(value: unknown) {
  const { rest, requests } = recorder({ value });
  return { client: new DynamicClient(rest).resource(pods).namespace('shop'), requests };
}

const column = { name: 'Name', type: 'string', format: 'name', description: '', priority: 0 };
const table = {
  kind: 'Table',
  apiVersion: 'meta.k8s.io/v1',
  metadata: { resourceVersion: '9', continue: 't', remainingItemCount: 3 },
  columnDefinitions: [column],
  rows: [{ cells: ['web'], object: { kind: 'PartialObjectMetadata', metadata: { name: 'web' } } }],
};

describe('a table', () => {
  it.each<[string, (client: DynamicResourceClient) => unknown, string]>([
    ['of everything', (c) => c.table(), `GET ${path}`],
    [
      'of a page of what is selected, with whole objects',
      (c) => c.table({ labelSelector: 'a=b', limit: 2, continue: 't', includeObject: 'Object' }),
      `GET ${path}?continue=t&includeObject=Object&labelSelector=a%3Db&limit=2`,
    ],
    [
      'of one object',
      (c) => c.getTable('web', { includeObject: 'None' }),
      `GET ${path}/web?includeObject=None`,
    ],
    [
      'of one object as it was',
      (c) => c.getTable('web', { resourceVersion: '0' }),
      `GET ${path}/web?resourceVersion=0`,
    ],
  ])('is requested: %s', async (_, request, line) => {
    const { client, requests } = shop(table);
    expect(await request(client)).toEqual(table);
    expect(requests).toEqual([{ line, accept, type: undefined, body: undefined }]);
  });

  it('may have no rows', async () => {
    const { rows: _, metadata: __, ...nothing } = table;
    const { client } = shop({ ...nothing, rows: null });
    expect(await client.table()).toEqual({ ...nothing, rows: [], metadata: {} });
  });

  it.each([
    [
      'columns',
      { ...table, columnDefinitions: undefined },
      /list pods in namespace shop: the table has no columns/,
    ],
    ['rows that are a list', { ...table, rows: {} }, /the rows of the table are not a list/],
  ])('requires %s', async (_, value, message) => {
    await expect(shop(value).client.table()).rejects.toThrow(message);
  });

  const object = { metadata: { name: 'web', creationTimestamp: '2024-01-31T12:00:00Z' }, items: [1] };

  it('is built from metadata for a server without tables', async () => {
    const list = {
      kind: 'PodList',
      apiVersion: 'v1',
      metadata: { continue: 't' },
      items: [object, { metadata: {} }],
    };
    const plain = await shop(list).client.table();
    expect(plain.columnDefinitions.map(({ name }) => name)).toEqual(['Name', 'Created At']);
    expect(plain.metadata).toEqual({ continue: 't' });
    expect(plain.rows.map(({ cells }) => cells)).toEqual([
      ['web', '2024-01-31T12:00:00Z'],
      ['', ''],
    ]);
    expect(plain.rows[0]?.object).toMatchObject({ kind: 'Pod', ...object });
  });

  it('of one object of such a server has one row', async () => {
    const { rows } = await shop(object).client.getTable('web');
    expect(rows).toEqual([{ cells: ['web', '2024-01-31T12:00:00Z'], object }]);
  });
});
