import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Stored } from '../api/types.ts';
import { InformerFactoryBase } from '../cache/factory.ts';
import { resource } from '../client/access.ts';
import { dynamicResource } from './descriptor.ts';
import { recorder } from './recorder.fixture.ts';
import type { Unstructured } from './unstructured.ts';
import type { UnstructuredClient } from './verbs.ts';

const myapps = { group: 'my.domain', version: 'v1', resource: 'myapps', kind: 'MyApp' } as const;
const list = {
  kind: 'MyAppList',
  metadata: { resourceVersion: '9' },
  items: [{ metadata: { name: 'web', uid: 'u1', resourceVersion: '5' } }],
};

describe('the descriptor of a resource without types', () => {
  it('requires the kind and the scope', () => {
    const { kind: _, ...nameless } = myapps;
    const untyped = dynamicResource as unknown as (of: object) => unknown; // seam: a value that only plain JavaScript can pass
    expect(() => untyped({ ...nameless, scope: 'Cluster' })).toThrow('needs the kind and the scope');
    expect(() => untyped(myapps)).toThrow('needs the kind and the scope');
  });

  it('creates clients of namespaces', async () => {
    const { rest, requests } = recorder({ value: list });
    const descriptor = dynamicResource({ ...myapps, scope: 'Namespaced' });
    const client = resource(rest, descriptor).in('shop');
    expectTypeOf(client).toEqualTypeOf<UnstructuredClient>();
    expect((await client.list()).items).toMatchObject([{ apiVersion: 'my.domain/v1', kind: 'MyApp' }]);
    await resource(rest, descriptor).list();
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /apis/my.domain/v1/namespaces/shop/myapps',
      'GET /apis/my.domain/v1/myapps',
    ]);
  });

  it('creates cluster-scoped clients', async () => {
    const { rest, requests } = recorder({ value: { kind: 'MyApp', metadata: {} } });
    const client = resource(rest, dynamicResource({ ...myapps, scope: 'Cluster' }));
    await client.patch('web', { spec: 1 }, { type: 'merge' });
    // @ts-expect-error the type is needed
    void client.patch('web', {}).catch(() => undefined);
    expect(requests[0]?.line).toBe('PATCH /apis/my.domain/v1/myapps/web');
  });

  it('has the scope of a mapping', () => {
    const { kind, ...name } = myapps;
    const descriptor = dynamicResource({
      resource: name,
      kind: { group: name.group, version: name.version, kind },
      scope: 'Cluster',
    });
    expect(descriptor).toEqual(dynamicResource({ ...myapps, scope: 'Cluster' }));
    expect(descriptor.scope === 'Cluster' && resource(recorder().rest, descriptor)).toHaveProperty('get');
  });

  it('creates informers', async () => {
    const { rest } = recorder({ value: list }, { lines: [] });
    const informers = new InformerFactoryBase({ rest }, { streaming: false });
    const informer = informers.of(dynamicResource({ ...myapps, scope: 'Namespaced' }), {
      keepManagedFields: true,
    });
    expectTypeOf(informer.lister.get('shop', 'web')).toEqualTypeOf<Stored<Unstructured> | undefined>();
    await informers.start();
    await informers.waitForSync();
    expect(informer.lister.list().map(({ kind, metadata }) => [kind, metadata.name])).toEqual([
      ['MyApp', 'web'],
    ]);
    await informers.stop();
  });
});
