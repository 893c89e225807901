import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/runtime/fake-clock.ts';
import { type Thing, thing } from '../../../test/support/runtime/scripted-source.ts';
import { StubApi, things } from '../../../test/support/runtime/stub-api.ts';
import type { Stored } from '../api/types.ts';
import { digitsKey } from '../codec/integers/digits.ts';
import { InformerFactoryBase } from './factory.ts';
import type { InformerOptions } from './informer/informer.ts';

const target = { group: 'example.com', version: 'v1', resource: 'things' };
const written = (metadata: Partial<Stored<Thing>['metadata']> = {}) =>
  thing('own', 1_000_000, { labels: { app: 'web' }, ...metadata });

let factory = new InformerFactoryBase(new StubApi());
beforeEach(() => {
  const environment = { clock: new FakeClock(), random: () => 0 };
  factory = new InformerFactoryBase(new StubApi(), { streaming: false, environment });
});

async function started(options: InformerOptions<Thing> = {}) {
  const informer = factory.of(things, options);
  await factory.start();
  await factory.waitForSync();
  return informer;
}

describe('a recorded write', () => {
  it.each<{ name: string; options: InformerOptions<Thing>; isStored: boolean }>([
    { name: 'all objects', options: {}, isStored: true },
    { name: 'its namespace', options: { namespaces: ['bank', 'shop'] }, isStored: true },
    { name: 'another namespace', options: { namespace: 'bank' }, isStored: false },
    { name: 'its labels', options: { labelSelector: 'app in (web)' }, isStored: true },
    { name: 'other labels', options: { labelSelector: 'app!=web' }, isStored: false },
    { name: 'its name', options: { fieldSelector: 'metadata.name=own' }, isStored: true },
    { name: 'another name', options: { fieldSelector: 'metadata.name=b' }, isStored: false },
    {
      name: 'a field that only the server knows',
      options: { fieldSelector: 'spec.size=1' },
      isStored: false,
    },
  ])('is stored in an informer of $name: $isStored', async ({ options, isStored }) => {
    const informer = await started(options);
    factory.informers.recordWrite(target, { object: written() });
    expect(informer.lister.get('shop', 'own') !== undefined).toBe(isStored);
    await factory.stop();
  });

  it('is copied with the digits of large integers, without managedFields, and transformed', async () => {
    const informer = await started({
      transform: (object) => Object.assign(object, { status: { ...Object(object.status), seen: true } }),
    });
    const list = Object.assign([2 ** 60], { [digitsKey]: { 0: '1152921504606846977' } });
    const object = { ...written({ managedFields: [{}] }), status: { list } };
    factory.informers.recordWrite(target, { object });
    const stored = informer.lister.get('shop', 'own');
    expect(stored?.status).toEqual({ list, seen: true });
    expect(Reflect.get(Object(Reflect.get(Object(stored?.status), 'list')), digitsKey)).toEqual(
      list[digitsKey],
    );
    expect(Reflect.get(Object(stored?.status), 'list')).not.toBe(list);
    expect(stored?.metadata).not.toHaveProperty('managedFields');
    expect(object.status).toEqual({ list });
    expect(object.metadata.managedFields).toEqual([{}]);
    await factory.stop();
  });

  it('reaches informers of the metadata, and metadata alone reaches only them', async () => {
    const whole = await started();
    const partial = factory.metadataOf(things);
    await factory.waitForSync();
    factory.informers.recordWrite(target, { object: written() });
    expect(partial.lister.get('shop', 'own')).toEqual({
      apiVersion: 'meta.k8s.io/v1',
      kind: 'PartialObjectMetadata',
      metadata: written().metadata,
    });
    const metadata = written({ resourceVersion: '1000001' });
    const alone = {
      apiVersion: 'meta.k8s.io/v1',
      kind: 'PartialObjectMetadata',
      metadata: metadata.metadata,
    };
    factory.informers.recordWrite(target, { object: alone });
    expect(whole.lister.get('shop', 'own')?.metadata.resourceVersion).toBe('1000000');
    expect(partial.lister.get('shop', 'own')?.metadata.resourceVersion).toBe('1000001');
    await factory.stop();
  });

  it.each<{ name: string; metadata: Partial<Stored<Thing>['metadata']>; spec?: object; isStored: boolean }>([
    { name: 'without finalizers', metadata: {}, isStored: false },
    { name: 'with finalizers', metadata: { finalizers: ['x'] }, isStored: true },
    { name: 'in its grace period', metadata: { deletionGracePeriodSeconds: 30 }, isStored: true },
    {
      name: 'with finalizers in its spec',
      metadata: {},
      spec: { finalizers: ['kubernetes'] },
      isStored: true,
    },
  ])('of a deleted object $name keeps it: $isStored', async ({ metadata, spec, isStored }) => {
    const informer = await started();
    factory.informers.recordWrite(target, { object: written() });
    const deletionTimestamp = '2024-01-31T12:00:00Z';
    const object = written({ ...metadata, deletionTimestamp, resourceVersion: '1000001' });
    factory.informers.recordWrite(target, { object: { ...object, ...(spec && { spec }) } });
    expect(informer.lister.get('shop', 'own') !== undefined).toBe(isStored);
    await factory.stop();
  });

  it('of a deletion removes the object', async () => {
    const informer = await started();
    factory.informers.recordWrite(target, { object: written() });
    const place = { ...target, namespace: 'shop', name: 'own' };
    factory.informers.recordWrite(place, { deleted: { uid: 'uid-own' } });
    expect(informer.lister.get('shop', 'own')).toBeUndefined();
    expect(informer.stats().unconfirmedWrites).toBe(1);
    await factory.stop();
  });

  it('is ignored for another resource, before the start, after the stop, and if it is malformed', async () => {
    const informer = factory.of(things);
    factory.informers.recordWrite(target, { object: written() });
    await started();
    factory.informers.recordWrite({ ...target, version: 'v2' }, { object: written() });
    for (const object of [undefined, null, 1, {}, { metadata: null }, { metadata: { name: 'own' } }])
      factory.informers.recordWrite(target, { object });
    await factory.stop();
    factory.informers.recordWrite(target, { object: written() });
    expect(informer.lister.get('shop', 'own')).toBeUndefined();
    expect(informer.resource).toEqual({ ...target, kind: 'Thing', scope: 'Namespaced' });
    expect([informer.seen('1'), informer.seen('1000000')]).toEqual([true, false]);
  });
});
