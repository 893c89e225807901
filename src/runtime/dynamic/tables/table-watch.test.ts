import { describe, expect, it } from 'vitest';
import { DynamicClient } from '../dynamic-client.ts';
import { type RecordedResponse, recorder } from '../recorder.fixture.ts';
import type { TableEvent, TableWatchOptions } from './table.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };
const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const path = '/api/v1/namespaces/shop/pods';

function shop(...responses: readonly RecordedResponse[]) {
  const { rest, requests } = recorder(...responses);
  return { client: new DynamicClient(rest).resource(pods).namespace('shop'), requests };
}

const column = (name: string) => ({ name, type: 'string', format: '', description: '', priority: 0 });
const columns = [column('Name'), column('Ready')];
const row = (...cells: readonly string[]) => ({ cells });
const head = { kind: 'Table', apiVersion: 'meta.k8s.io/v1' };
const table = (resourceVersion: string, columnDefinitions: unknown, ...rows: readonly object[]) => ({
  ...head,
  metadata: { resourceVersion },
  columnDefinitions,
  rows,
});
const event = (type: string, object: object) => ({ type, object });
const stream = (...events: readonly object[]): string =>
  events.map((one) => `${JSON.stringify(one)}\n`).join('');

async function take(events: AsyncIterable<TableEvent>, count: number): Promise<TableEvent[]> {
  const taken: TableEvent[] = [];
  for await (const one of events) {
    taken.push(one);
    if (taken.length === count) break;
  }
  return taken;
}

describe('a watch of tables', () => {
  it('starts with the rows of all pages, continues with changes, and resumes after the last', async () => {
    const first = table('8', columns, row('a', '0/1'), row('b', '1/1'));
    const { client, requests } = shop(
      { value: { ...first, metadata: { resourceVersion: '8', continue: 't' } } },
      { value: table('8', columns, row('c', '1/1')) },
      {
        text: stream(
          event('MODIFIED', table('9', columns, row('a', '1/1'))),
          event('BOOKMARK', table('10', null, row('', ''))),
          event('DELETED', table('11', null, row('b', '1/1'))),
        ),
      },
      { lines: [event('ADDED', table('12', null, row('d', '0/1')))] },
    );
    const options: TableWatchOptions = { labelSelector: 'app=web', includeObject: 'None' };
    expect(await take(client.watchTable(options), 6)).toEqual([
      event('ADDED', table('8', columns, row('a', '0/1'))),
      event('ADDED', table('8', columns, row('b', '1/1'))),
      event('ADDED', table('8', columns, row('c', '1/1'))),
      event('MODIFIED', table('9', columns, row('a', '1/1'))),
      event('DELETED', table('11', columns, row('b', '1/1'))),
      event('ADDED', table('12', columns, row('d', '0/1'))),
    ]);
    const shared = 'includeObject=None&labelSelector=app%3Dweb';
    const watched = (version: string): string =>
      `GET ${path}?allowWatchBookmarks=true&${shared}&resourceVersion=${version}&timeoutSeconds=…&watch=true`;
    expect(requests.map(({ line }) => line.replace(/(timeoutSeconds=)\d+/, '$1…'))).toEqual([
      `GET ${path}?${shared}&limit=500`,
      `GET ${path}?continue=t&${shared}&limit=500`,
      watched('8'),
      watched('11'),
    ]);
    expect(new Set(requests.map((request) => request.accept))).toEqual(new Set([accept]));
  });

  it('of a server without tables has names of objects, and the objects', async () => {
    const metadata = { name: 'web', resourceVersion: '9', creationTimestamp: '2024-01-31T12:00:00Z' };
    const object = { kind: 'Pod', apiVersion: 'v1', metadata };
    const { client } = shop({ lines: [event('ADDED', object)] });
    const [added] = await take(client.watchTable({ resourceVersion: '5' }), 1);
    expect(added?.object.columnDefinitions.map(({ name }) => name)).toEqual(['Name', 'Created At']);
    expect(added?.object.rows).toEqual([{ cells: ['web', metadata.creationTimestamp], object }]);
  });

  it.each<[string, string, RegExp]>([
    ['no JSON', 'nonsense\n', /a line of the stream is not JSON/],
    [
      'an event without a version',
      stream(event('ADDED', { ...head, rows: [] })),
      /the Table has no metadata/,
    ],
    ['an unknown event', stream(event('MOVED', table('9', columns))), /unknown event type/],
    ['an error', stream(event('ERROR', { code: 500, message: 'broken' })), /broken/],
  ])('retries after %s', async (_, text, message) => {
    const { client } = shop({ text });
    const enough = new AbortController();
    const reported: unknown[] = [];
    const onRetry = (error: unknown): void => {
      reported.push(error);
      enough.abort();
    };
    const events = client.watchTable({ resourceVersion: '5', onRetry, signal: enough.signal });
    expect(await take(events, 1)).toEqual([]);
    expect(String(reported[0])).toMatch(message);
  });

  it('ends while it waits', async () => {
    const { client } = shop({ lines: [event('ADDED', table('9', columns, row('a', '')))] });
    const events = client.watchTable({ resourceVersion: '5' })[Symbol.asyncIterator]();
    await events.next();
    const waiting = events.next();
    await events.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });
});
