import { describe, expect, it } from 'vitest';
import { type RecordedResponse, recorder } from '../recorder.fixture.ts';
import type { MetadataResourceClient } from './metadata.ts';
import { MetadataClient } from './metadata-client.ts';

const myapps = { group: 'my.domain', version: 'v1', resource: 'myapps' };
const path = '/apis/my.domain/v1/namespaces/shop/myapps';
const accepted = (form: string): string =>
  `application/vnd.kubernetes.protobuf;${form},application/json;${form},application/json`;
const one = accepted('as=PartialObjectMetadata;g=meta.k8s.io;v=v1');
const many = accepted('as=PartialObjectMetadataList;g=meta.k8s.io;v=v1');

const metadata = {
  name: 'web',
  namespace: 'shop',
  uid: 'u1',
  resourceVersion: '5',
  creationTimestamp: '2024-01-31T12:00:00Z',
};
const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata };
const whole = { apiVersion: 'my.domain/v1', kind: 'MyApp', metadata, spec: { large: true } };
const partials = {
  apiVersion: 'meta.k8s.io/v1',
  kind: 'PartialObjectMetadataList',
  metadata: { resourceVersion: '9' },
  items: [{ metadata }],
};
const wholes = {
  apiVersion: 'my.domain/v1',
  kind: 'MyAppList',
  metadata: { resourceVersion: '9' },
  items: [{ metadata, spec: {} }],
};

function shop(...responses: readonly RecordedResponse[]) {
  const { rest, requests } = recorder(...responses);
  return { client: new MetadataClient(rest).resource(myapps).namespace('shop'), requests };
}

async function first<T>(source: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of source) return item;
  return undefined;
}

const found = (object: unknown): boolean => object !== undefined;

interface Case {
  readonly request: (client: MetadataResourceClient) => Promise<unknown>;
  readonly line: string;
  readonly accept: string;
  /** Responses of a server that supports the representation, and of one that does not. */
  readonly responses: readonly [unknown, unknown];
  readonly stream?: true;
  readonly want: unknown;
}

const list = { ...partials, items: [partial] };
const added = (object: unknown) => ({ type: 'ADDED', object });
const watched = 'allowWatchBookmarks=true&resourceVersion=5&timeoutSeconds=';

/** Writes request JSON until a read has shown that the server supports the representation in Protobuf. */
const inJson = (accept: string): string => accept.slice(accept.indexOf(',') + 1);

const cases: Readonly<Record<string, Case>> = {
  get: {
    request: (c) => c.get('web'),
    line: `GET ${path}/web`,
    accept: one,
    responses: [partial, whole],
    want: partial,
  },
  find: {
    request: (c) => c.find('web', { resourceVersion: '0' }),
    line: `GET ${path}/web?resourceVersion=0`,
    accept: one,
    responses: [partial, whole],
    want: partial,
  },
  list: {
    request: (c) => c.list({ limit: 3, labelSelector: 'app=web' }),
    line: `GET ${path}?labelSelector=app%3Dweb&limit=3`,
    accept: many,
    responses: [partials, wholes],
    want: list,
  },
  iterate: {
    request: (c) => first(c.iterate({ pageSize: 7 })),
    line: `GET ${path}?limit=7`,
    accept: many,
    responses: [partials, wholes],
    want: partial,
  },
  watch: {
    request: (c) => first(c.watch({ resourceVersion: '5' })),
    line: `GET ${path}?${watched}`,
    accept: one,
    responses: [added(partial), added(whole)],
    stream: true,
    want: added(partial),
  },
  patch: {
    request: (c) =>
      c.patch('web', { metadata: { labels: { a: 'b' } } }, { type: 'merge', fieldManager: 'me' }),
    line: `PATCH ${path}/web?fieldManager=me`,
    accept: inJson(one),
    responses: [partial, whole],
    want: partial,
  },
  delete: {
    request: (c) => c.delete('web'),
    line: `DELETE ${path}/web`,
    accept: inJson(one),
    responses: [partial, whole],
    want: partial,
  },
  deleteCollection: {
    request: (c) => c.deleteCollection({ labelSelector: 'app=web' }),
    line: `DELETE ${path}?labelSelector=app%3Dweb`,
    accept: inJson(many),
    responses: [partials, wholes],
    want: list,
  },
};

describe('metadata client', () => {
  const servers = Object.entries(cases).flatMap(
    ([
      verb,
      {
        responses: [knows, ignores],
        ...requested
      },
    ]) => [
      { server: 'knows the form', verb, response: knows, ...requested },
      { server: 'ignores it', verb, response: ignores, ...requested },
    ],
  );

  it.each(servers)(
    'sends $verb to a server that $server',
    async ({ request, response, line, accept, stream, want }) => {
      const { client, requests } = shop(stream ? { lines: [response] } : { value: response });
      expect(await request(client)).toEqual(want);
      expect(requests[0]?.line.replace(/(timeoutSeconds=).*/, '$1')).toBe(line);
      expect(requests[0]?.accept).toBe(accept);
    },
  );

  it('returns the Status of a deletion', async () => {
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Success', details: { uid: 'u1' } };
    const { client } = shop({ value: status });
    expect(await client.delete('web')).toEqual(status);
    expect(await client.deleteCollection()).toEqual(status);
  });

  it('waits for its condition with any form of response', async () => {
    const { client, requests } = shop(
      { value: { ...wholes, items: [] } },
      { lines: [added({ ...whole, metadata: { ...metadata, labels: { ready: 'no' } } }), added(whole)] },
    );
    const seen: unknown[] = [];
    const result = await client.waitFor('web', (object) => {
      seen.push(object && Object.keys(object));
      return found(object) && object?.metadata.labels === undefined;
    });
    expect(result).toEqual(partial);
    expect(seen).toEqual([undefined, ['apiVersion', 'kind', 'metadata'], ['apiVersion', 'kind', 'metadata']]);
    expect(requests.map(({ accept }) => accept)).toEqual([many, one]);
  });

  it('requests all namespaces, and cluster-scoped objects', async () => {
    const { rest, requests } = recorder({ value: partials }, { value: partial });
    const access = new MetadataClient(rest).resource(myapps);
    await access.list();
    await access.get('web');
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /apis/my.domain/v1/myapps',
      'GET /apis/my.domain/v1/myapps/web',
    ]);
    expect(() => access.namespace('')).toThrow(TypeError);
  });

  it('has no default patch type', async () => {
    const { client, requests } = shop({ value: partial });
    // @ts-expect-error the type is missing
    await expect(client.patch('web', {})).rejects.toThrow('has no type');
    expect(requests).toEqual([]);
  });

  it('ends a watch that waits', async () => {
    const { client } = shop({ lines: [added(whole)] });
    const events = client.watch({ resourceVersion: '5' })[Symbol.asyncIterator]();
    await events.next();
    const waiting = events.next();
    await events.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it('resumes a watch after its last event and requests metadata again', async () => {
    const later = { ...whole, metadata: { ...metadata, resourceVersion: '12' } };
    const { client, requests } = shop(
      { text: `${JSON.stringify(added(whole))}\n` },
      { lines: [added(later)] },
    );
    const seen: unknown[] = [];
    for await (const { object } of client.watch({ resourceVersion: '3', labelSelector: 'app=web' })) {
      seen.push(object);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual([partial, { ...partial, metadata: later.metadata }]);
    const versions = requests.map(
      ({ line }) => /labelSelector=app%3Dweb&resourceVersion=(\d+)/.exec(line)?.[1],
    );
    expect(versions).toEqual(['3', metadata.resourceVersion]);
    expect(requests.map(({ accept }) => accept)).toEqual([one, one]);
  });

  it('yields bookmarks unchanged', async () => {
    const bookmark = {
      type: 'BOOKMARK',
      object: { kind: 'PartialObjectMetadata', metadata: { resourceVersion: '7' } },
    };
    const { client } = shop({ lines: [bookmark] });
    expect(await first(client.watch({ resourceVersion: '5', bookmarks: true }))).toEqual({
      type: 'BOOKMARK',
      object: { metadata: { resourceVersion: '7' } },
    });
  });
});
