import { type Informer, type KubernetesObject, RESTClient } from '@kgen/runtime';
import { isOwnerTerminating } from '@kgen/runtime/objects';
import { describe, expect, it } from 'vitest';
import { NoopWrites } from '../apply/noop-writes.ts';
import { managedClient } from './managed-client.ts';

type State = 'alive' | 'terminating' | 'missing' | 'recreated';

const uid = 'u1';
const reference = { apiVersion: 'my.domain/v1', kind: 'MyApp', name: 'web', uid, controller: true };
const other = { ...reference, kind: 'Other', uid: 'u9' };

function ownerIn(state: State): object | undefined {
  if (state === 'missing') return undefined;
  const metadata = { name: 'web', namespace: 'shop', uid: state === 'recreated' ? 'u2' : uid };
  return { metadata: { ...metadata, ...(state === 'terminating' && { deletionTimestamp: 'now' }) } };
}

function objectWith(ownerReferences: readonly object[] | undefined, resourceVersion?: string): object {
  return { metadata: { name: 'child', ownerReferences, resourceVersion } };
}

/** Cached dependent, cached owner, and the owner on the server. */
interface Situation {
  readonly cached?: object | undefined;
  readonly owner?: State;
  readonly live?: State;
}

function guarded({ cached, owner = 'alive', live = 'alive' }: Situation) {
  const sent: string[] = [];
  const transport: ConstructorParameters<typeof RESTClient>[1] = {
    transport: async ({ method, path, query }) => {
      const isRead = method === 'GET';
      sent.push(isRead ? `GET ${path} ${JSON.stringify(query)}` : `${method}`);
      const items = isRead && live !== 'missing' ? [ownerIn(live)] : [];
      const body = (async function* () {
        yield Buffer.from(JSON.stringify({ items }));
      })();
      const headers = { 'content-type': 'application/json' };
      return { status: 200, headers, body, cancel: () => undefined };
    },
  };
  const rest = new RESTClient({ server: 'http://127.0.0.1:1' }, transport);
  const informer = {
    resource: { group: 'my.domain', version: 'v1', resource: 'myapps', kind: 'MyApp', scope: 'Namespaced' },
    informers: { rest },
    find: () => ownerIn(owner),
  };
  // The guard uses these members only.
  const ofKind = (_: string, kind: string): Informer<KubernetesObject> | undefined =>
    kind === 'MyApp' ? (informer as never) : undefined;
  const caches = {
    get: () => cached && { object: cached, isWhole: true },
    wrote: () => true,
    deleted: () => undefined,
  };
  const parts = { rest, fence: undefined, caches, owners: { ofKind }, noops: new NoopWrites() };
  return { rest: managedClient(parts), sent };
}

const path = '/api/v1/namespaces/shop/configmaps/child';
const read = 'GET /apis/my.domain/v1/namespaces/shop/myapps [["fieldSelector","metadata.name=web"]]';

async function outcome(situation: Situation, body: unknown, method: 'patch' | 'put' | 'post' = 'patch') {
  const { rest, sent } = guarded(situation);
  const error: unknown = await rest[method](path, { body }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error !== undefined) {
    expect(isOwnerTerminating(error)).toBe(true);
    expect(error).toMatchObject({ owner: { kind: 'MyApp', metadata: { name: 'web', uid } } });
  }
  return sent;
}

describe('a write with an owner reference', () => {
  const [lacking, having] = [objectWith(undefined, '5'), objectWith([reference], '5')];
  it.each<
    readonly [title: string, situation: Situation, version: string | undefined, sent: readonly string[]]
  >([
    ['that creates an object is sent without a read', {}, undefined, ['PATCH']],
    ['of an object that has it is sent without a read', { cached: having }, undefined, ['PATCH']],
    ['adds it after a read of the owner', { cached: lacking }, undefined, [read, 'PATCH']],
    ['is refused if the owner is terminating', { owner: 'terminating' }, undefined, []],
    [
      'is refused if the owner is terminating, and the cached object has it',
      { owner: 'terminating', cached: having },
      undefined,
      [],
    ],
    [
      'is sent with the version that has it, which the server compares',
      { owner: 'terminating', cached: having },
      '5',
      ['PATCH'],
    ],
    [
      'is refused with another version than the one that has it',
      { owner: 'terminating', cached: having },
      '6',
      [],
    ],
    [
      'reads the owner for another version than the one that has it',
      { cached: having, live: 'terminating' },
      '6',
      [read],
    ],
    [
      'is refused if the owner on the server is terminating',
      { cached: lacking, live: 'terminating' },
      undefined,
      [read],
    ],
    [
      'is refused if the owner on the server is gone',
      { cached: lacking, live: 'missing' },
      undefined,
      [read],
    ],
    [
      'is refused if the owner was created again',
      { cached: having, owner: 'recreated', live: 'recreated' },
      undefined,
      [read],
    ],
    ['is refused if the owner is gone', { owner: 'missing', live: 'missing' }, undefined, [read]],
    ['is sent if only the cache lacks the owner', { owner: 'missing' }, undefined, [read, 'PATCH']],
  ])('%s', async (_, situation, version, sent) => {
    expect(await outcome(situation, objectWith([other, reference], version))).toEqual(sent);
  });

  const ending: Situation = { owner: 'terminating', cached: lacking };
  it.each<readonly [title: string, body: unknown, isSent: boolean]>([
    ['a merge patch', { metadata: { ownerReferences: [reference] } }, false],
    ['a list in a JSON patch', [{ op: 'add', path: '/metadata/ownerReferences', value: [reference] }], false],
    [
      'an item in a JSON patch',
      [{ op: 'add', path: '/metadata/ownerReferences/-', value: reference }],
      false,
    ],
    [
      'a replaced item in a JSON patch',
      [{ op: 'replace', path: '/metadata/ownerReferences/0', value: reference }],
      false,
    ],
    ['a removal in a JSON patch', [{ op: 'remove', path: '/metadata/ownerReferences/0' }], true],
    ['a test in a JSON patch', [{ op: 'test', path: '/metadata/ownerReferences/0', value: reference }], true],
    [
      'a removal in a strategic merge patch',
      { metadata: { ownerReferences: [{ $patch: 'delete', uid }] } },
      true,
    ],
    ['another kind', { metadata: { ownerReferences: [other] } }, true],
    [
      'a reference without a uid',
      { metadata: { ownerReferences: [{ ...reference, uid: undefined }] } },
      true,
    ],
    ['no references', { metadata: { labels: {} } }, true],
    ['null', null, true],
  ])('to a terminating owner is decided for %s', async (_, body, isSent) => {
    expect(await outcome(ending, body)).toEqual(isSent ? ['PATCH'] : []);
    const [post, put] = await Promise.all([outcome(ending, body, 'post'), outcome(ending, body, 'put')]);
    expect([post, put]).toEqual(isSent ? [['POST'], ['PUT']] : [[], []]);
  });

  it('is sent with a JSON patch that tests the version that has it', async () => {
    const value = [reference];
    const test = { op: 'test', path: '/metadata/resourceVersion', value: '5' };
    const body = [test, { op: 'replace', path: '/metadata/ownerReferences', value }];
    expect(await outcome({ owner: 'terminating', cached: having }, body)).toEqual(['PATCH']);
  });
});
