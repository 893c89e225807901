/** Storage migrations whose servers are scripted; others are in `test/migration`. */

import { RESTClient } from '@kgen/runtime';
import type { APIRequest } from '@kgen/runtime/rest';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { migrateStorage, type StorageMigrationOptions } from './migrate-storage.ts';

const crd = {
  metadata: { name: 'things.example.com', uid: 'u1', resourceVersion: '1', generation: 2 },
  spec: {
    group: 'example.com',
    names: { plural: 'things' },
    versions: [
      { name: 'v1', served: true, storage: true },
      { name: 'v1alpha1', served: true, storage: false },
    ],
  },
  status: { storedVersions: ['v1alpha1', 'v1'], conditions: [{ type: 'Established', status: 'True' }] },
};
const item = (name: string) => ({ metadata: { name, namespace: 'shop' } });
const failure = (code: number, reason: string, metadata = {}) => ({
  ...{ kind: 'Status', apiVersion: 'v1', status: 'Failure', message: `it is ${reason}` },
  ...{ code, reason, metadata },
});

type Script = (line: string, body: string) => unknown;

/** Runs a migration; a response with a `code` is an error. */
async function migrated(script: Script, options: StorageMigrationOptions = {}) {
  const lines: string[] = [];
  const steps: string[] = [];
  const rest = new RESTClient(
    { server: 'http://stub' },
    {
      transport: async ({ method, path, query = [], body }: APIRequest) => {
        const shown = query.filter(([name]) => name === 'continue').map(([, value]) => `?${value}`);
        const line = `${method} ${path}${shown.join('')}`;
        lines.push(line);
        const response = script(line, String(body));
        const code = Number(Object(response).code ?? 200);
        const bytes = Buffer.from(JSON.stringify(response));
        return {
          status: code,
          headers: { 'content-type': 'application/json' },
          body: (async function* () {
            yield bytes;
          })(),
          cancel: () => undefined,
        };
      },
    },
  );
  const running = migrateStorage(
    rest,
    { group: 'example.com', plural: 'things' },
    { settleMs: 0, writesPerSecond: 1e6, onProgress: ({ step }) => steps.push(step), ...options },
  );
  let isSettled = false;
  const outcome = running
    .catch((error: unknown) => `${error}`)
    .finally(() => {
      isSettled = true;
    });
  // Modules that are loaded for the first time settle in later turns of the event loop.
  while (!isSettled) {
    await vi.runAllTimersAsync();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { lines, steps, result: await outcome };
}

const definition = 'GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com';
const status = `${definition.replace('GET', 'PATCH')}/status`;
const list = 'GET /apis/example.com/v1/things';
const migrations = '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations';
const own = `${migrations}/things.example.com-2`;
const patch = (name: string): string => `PATCH /apis/example.com/v1/namespaces/shop/things/${name}`;

/** A server with two pages of one object each, without StorageVersionMigrations. */
function server(changes: Readonly<Record<string, unknown>> = {}): Script {
  const responses: Readonly<Record<string, unknown>> = {
    [definition]: crd,
    [`POST ${migrations}`]: failure(404, 'NotFound'),
    [list]: { metadata: { continue: 'two', remainingItemCount: 1 }, items: [item('a')] },
    [`${list}?two`]: { metadata: {}, items: [item('b')] },
    [patch('a')]: item('a'),
    [patch('b')]: item('b'),
    [status]: crd,
    ...changes,
  };
  return (line, body) => {
    const response = responses[line] ?? failure(404, 'NotFound');
    return typeof response === 'function' ? response(body) : response;
  };
}

describe('migrateStorage', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('writes pages with empty patches, saves the token of the next page, and removes the old version', async () => {
    const bodies: string[] = [];
    const record = (body: string) => {
      bodies.push(body);
      return crd;
    };
    const { lines, result } = await migrated(server({ [patch('a')]: record, [status]: record }));
    expect(lines).toEqual([
      ...[definition, `POST ${migrations}`, list, patch('a'), definition, status],
      ...[`${list}?two`, patch('b'), definition, status],
    ]);
    const conditions = [{ type: 'Established', status: 'True' }];
    expect(bodies.map((body) => JSON.parse(body))).toEqual([
      {},
      {
        metadata: { resourceVersion: '1' },
        status: {
          conditions: [
            ...conditions,
            {
              ...{ type: 'kgen.dev/StorageMigration', status: 'True', reason: 'Migrating' },
              message: '{"generation":2,"continue":"two"}',
            },
          ],
        },
      },
      { metadata: { resourceVersion: '1' }, status: { storedVersions: ['v1'], conditions } },
    ]);
    expect(result).toMatchObject({ written: 2, removed: ['v1alpha1'], restarts: 0 });
  });

  const saved = (message: string) => ({
    ...crd,
    status: { ...crd.status, conditions: [{ type: 'kgen.dev/StorageMigration', status: 'True', message }] },
  });
  it.each([
    { what: 'of this generation', message: '{"generation":2,"continue":"two"}', from: '?two' },
    { what: 'of another generation', message: '{"generation":1,"continue":"two"}', from: '' },
    { what: 'of another program', message: '{"generation":2,"continue":{}}', from: '' },
    { what: 'that is not JSON', message: '{', from: '' },
  ])('begins at "$from" with a token $what', async ({ message, from }) => {
    const { lines } = await migrated(server({ [definition]: saved(message) }));
    expect(lines.find((line) => line.startsWith(list))).toBe(`${list}${from}`);
  });

  it.each([
    {
      error: failure(410, 'Expired', { continue: 'newer' }),
      pages: ['?two', '?newer'],
    },
    { error: failure(410, 'Expired'), pages: ['?two', '', '?two'] },
    { error: failure(400, 'BadRequest'), pages: ['?two', '', '?two'] },
  ])('continues after $error.reason of a token with $pages', async ({ error, pages }) => {
    let failures = 0;
    const second = { metadata: {}, items: [item('b')] };
    const { lines, result } = await migrated(
      server({
        [definition]: saved('{"generation":2,"continue":"two"}'),
        [`${list}?two`]: () => (++failures === 1 ? error : second),
        [`${list}?newer`]: second,
      }),
    );
    expect(lines.filter((line) => line.startsWith(list))).toEqual(pages.map((page) => `${list}${page}`));
    expect(result).toMatchObject({ removed: ['v1alpha1'] });
  });

  it('repeats conflicts, and skips deleted objects', async () => {
    let conflicts = 0;
    const conflict = () => (++conflicts < 3 ? failure(409, 'Conflict') : item('a'));
    const { lines, result } = await migrated(
      server({ [patch('a')]: conflict, [patch('b')]: failure(404, 'NotFound') }),
    );
    expect(lines.filter((line) => line === patch('a'))).toHaveLength(3);
    expect(result).toMatchObject({ written: 2 });
  });

  it('saves no token after an object that is refused, and removes no version', async () => {
    const { lines, result } = await migrated(server({ [patch('a')]: failure(422, 'Invalid') }));
    expect(result).toMatch(/^StorageMigrationError: migrate things\.example\.com: 1 objects .* shop\/a: /);
    expect(lines).toContain(patch('b'));
    expect(lines).not.toContain(status);
  });

  it('uses the StorageVersionMigration of the server', async () => {
    const states = [[], [{ type: 'Running', status: 'True' }], [{ type: 'Succeeded', status: 'True' }]];
    const { lines, steps, result } = await migrated(
      server({
        [`POST ${migrations}`]: {},
        [`GET ${own}`]: () => ({ status: { conditions: states.shift() } }),
      }),
    );
    expect(steps).toEqual(['server']);
    expect(lines.filter((line) => line.startsWith(list))).toEqual([]);
    expect(lines.at(-1)).toBe(status);
    expect(result).toMatchObject({ removed: ['v1alpha1'] });
  });

  it.each([
    { what: 'fails', conditions: [{ type: 'Failed', status: 'True' }], isDeleted: false },
    { what: 'never begins', conditions: [], isDeleted: true },
  ])('writes the objects itself if that of the server $what', async ({ conditions, isDeleted }) => {
    const { lines, steps } = await migrated(
      server({
        [`POST ${migrations}`]: failure(409, 'AlreadyExists'),
        [`GET ${own}`]: { status: { conditions } },
        [`DELETE ${own}`]: {},
      }),
    );
    expect(lines.includes(`DELETE ${own}`)).toBe(isDeleted);
    expect(steps).toEqual(['server', 'migrating', 'page', 'page']);
  });

  it.each([{ pageSize: 0 }, { writesPerSecond: 0 }, { settleMs: -1 }])(
    'throws RangeError for %o',
    async (options) => {
      expect((await migrated(server(), options)).result).toMatch(/^RangeError: migrateStorage: /);
    },
  );
});
