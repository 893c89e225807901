import { describe, expect, it, vi } from 'vitest';
import { ByteStream } from '../../../test/support/runtime/byte-stream.ts';
import { apiError } from '../../../test/support/runtime/failures.ts';
import { settle } from '../../../test/support/runtime/fake-clock.ts';
import {
  delivered,
  notingHandlers as noting,
  informerWorld as world,
} from '../../../test/support/runtime/informer-world.ts';
import { noInformers } from '../../../test/support/runtime/no-informers.ts';
import { noTimePasses } from '../../../test/support/runtime/no-time-passes.ts';
import { listOf, type Thing, thing } from '../../../test/support/runtime/scripted-source.ts';
import { DecodeError } from '../api/errors.ts';
import type { Stored } from '../api/types.ts';
import type { UnreadableItem } from '../watch/source.ts';
import type { InformerOptions } from './informer/informer.ts';
import { SharedInformer } from './informer/shared-informer.ts';
import { namespacedLister } from './lister/lister.ts';

noTimePasses();

type Transform = NonNullable<InformerOptions<Thing>['transform']>;

/** Throws for every object with a certain label. */
const fussy: Transform = (object) => {
  if (object.metadata.labels?.['broken'] !== undefined) throw new Error('oops');
  return object;
};
const broken = { labels: { broken: 'yes' } };

const context = (during: string, name: string) => ({
  informer: 'things in namespace shop',
  during,
  object: { namespace: 'shop', name },
});

describe('a transform that returns another object', () => {
  const sameObject = 'transform must return an object with the same name, namespace, uid and resourceVersion';
  it.each<[string, (object: Stored<Thing>) => unknown]>([
    ['a promise', async (object) => object],
    ['a promise that fails', () => Promise.reject(new Error('oops'))],
    ['nothing', () => undefined],
    ['nothing of use', () => ({})],
    ['another name', (object) => ({ ...object, metadata: { ...object.metadata, name: 'z' } })],
    [
      'another namespace and name, equal if joined',
      (object) => ({ ...object, metadata: { ...object.metadata, namespace: 'sho', name: 'pa' } }),
    ],
    ['another name, by changing it', (object) => Object.assign(object, { metadata: { name: 'z' } })],
  ])('%s: is reported, and the object is not stored', async (_, transform) => {
    const given: object = { transform };
    const { informer, errors } = world([listOf(5, [thing('a', 3)]), new ByteStream()], given);
    informer.start();
    await informer.synced;
    expect(informer.lister.list()).toEqual([]);
    expect(errors).toEqual([[new TypeError(sameObject), context('transform', 'a')]]);
    expect(informer.stats().unreadable).toBe(1);
    await informer.stop();
  });
});

describe('a transform', () => {
  it('receives objects without managedFields, and may change them, also from watch events', async () => {
    const stream = new ByteStream();
    const seen: string[][] = [];
    const transform: Transform = (object) => {
      seen.push(Object.keys(object.metadata));
      return Object.assign(object, { spec: { size: 1 } });
    };
    const managed = { managedFields: [{ manager: 'me' }] };
    const { informer } = world([listOf(5, [thing('a', 3, managed)]), stream], { transform });
    const bySize = informer.addIndex('size', ({ spec }) => [String(spec?.size)]);
    informer.start();
    await informer.synced;
    stream.line({ type: 'ADDED', object: thing('b', 6, managed) });
    await delivered(informer);
    expect(bySize.get('1').map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    expect(seen.flat()).not.toContain('managedFields');
    await informer.stop();
  });

  it('that throws keeps the cached object, and is reported once for each version', async () => {
    const stream = new ByteStream();
    const { informer, errors, clock } = world(
      [
        listOf(5, [thing('a', 3), thing('b', 4)]),
        stream,
        listOf(9, [thing('a', 6, broken), thing('b', 8)]),
        new ByteStream(),
      ],
      { transform: fussy },
    );
    const { calls, handlers } = noting();
    const registration = informer.handle(handlers);
    informer.start();
    await registration.synced;
    stream.line({ type: 'MODIFIED', object: thing('a', 6, broken) });
    stream.line({ type: 'ERROR', object: apiError('expired').status });
    await clock.advance(800);
    await delivered(informer);
    expect(calls.slice(2)).toEqual(['update b@4 to b@8']);
    expect(informer.lister.get('shop', 'a')).toEqual(thing('a', 3));
    expect(errors).toEqual([[new Error('oops'), context('transform', 'a')]]);
    expect(informer.stats()).toMatchObject({ objects: 2, unreadable: 1 });
    await informer.stop();
  });

  it('that throws for a new version is reported again, and reset by a success', async () => {
    const stream = new ByteStream();
    const { informer, errors } = world([listOf(5, [thing('a', 3)]), stream], { transform: fussy });
    informer.start();
    await informer.synced;
    stream.line({ type: 'MODIFIED', object: thing('a', 6, broken) });
    stream.line({ type: 'MODIFIED', object: thing('a', 7, broken) });
    await delivered(informer);
    expect([errors.length, informer.stats().unreadable]).toEqual([2, 1]);
    stream.line({ type: 'MODIFIED', object: thing('a', 8) });
    await delivered(informer);
    expect([errors.length, informer.stats().unreadable]).toEqual([2, 0]);
    await informer.stop();
  });

  it('that throws for the last state of an object delivers the cached one', async () => {
    const stream = new ByteStream();
    const { informer } = world([listOf(5, [thing('a', 3)]), stream], { transform: fussy });
    const { calls, handlers } = noting();
    informer.handle(handlers);
    informer.start();
    await informer.synced;
    stream.line({ type: 'DELETED', object: thing('a', 6, broken) });
    stream.line({ type: 'DELETED', object: thing('z', 7, broken) });
    await delivered(informer);
    expect(calls).toEqual(['add a@3 initially', 'delete a@3']);
    expect(informer.stats()).toMatchObject({ objects: 0, unreadable: 0 });
    await informer.stop();
  });
});

describe('an object that cannot be decoded', () => {
  const unreadable = (name: string, message: string, namespace?: string): UnreadableItem => ({
    error: new DecodeError(message),
    namespace,
    name,
  });

  it('is reported once, keeps its cached state, and affects no other', async () => {
    const stream = new ByteStream();
    const lost = [
      unreadable('b', 'shop/b has no uid', 'shop'),
      { error: new DecodeError('an item is a number') },
    ];
    const list = (version: number, items: readonly Stored<Thing>[]) => ({
      ...listOf(version, items),
      unreadable: lost,
    });
    const { informer, errors, clock } = world([
      listOf(5, [thing('a', 3), thing('b', 4)]),
      stream,
      list(9, [thing('a', 8)]),
      apiError('expired'),
      list(11, [thing('a', 10)]),
    ]);
    const { calls, handlers } = noting();
    informer.handle(handlers);
    informer.start();
    await informer.synced;
    stream.line({ type: 'ERROR', object: apiError('expired').status });
    await clock.advance(20_000);
    await delivered(informer);
    expect(calls.slice(2)).toEqual(['update a@3 to a@8', 'update a@8 to a@10']);
    expect(informer.lister.get('shop', 'b')).toEqual(thing('b', 4));
    const of = (object: object) => ({ informer: 'things in namespace shop', during: 'decode', object });
    expect(errors).toEqual([
      [lost[0]?.error, of({ namespace: 'shop', name: 'b' })],
      [lost[1]?.error, of({ namespace: undefined, name: undefined })],
    ]);
    expect(informer.stats()).toMatchObject({ objects: 2, unreadable: 2 });
    await informer.stop();
  });

  it('keeps its cached state if it is cluster-scoped, and is readable again with the next event', async () => {
    const [first, second] = [new ByteStream(), new ByteStream()];
    const clusterScoped = (version: number): Stored<Thing> => {
      const { namespace: _, ...metadata } = thing('a', version).metadata;
      return { ...thing('a', version), metadata };
    };
    const damaged = { ...listOf(9, []), unreadable: [unreadable('a', 'a has no uid')] };
    const { informer, clock, errors } = world([listOf(5, [clusterScoped(3)]), first, damaged, second]);
    informer.start();
    await informer.synced;
    first.line({ type: 'ERROR', object: apiError('expired').status });
    await clock.advance(800);
    expect(informer.lister.get('', 'a')?.metadata.resourceVersion).toBe('3');
    expect([errors.length, informer.stats().unreadable]).toEqual([1, 1]);
    second.line({ type: 'MODIFIED', object: clusterScoped(10) });
    await delivered(informer);
    expect(informer.lister.get('', 'a')?.metadata.resourceVersion).toBe('10');
    expect(informer.stats().unreadable).toBe(0);
    await informer.stop();
  });
});

describe('an object of another namespace than requested', () => {
  it('is reported once for each version, and ignored', async () => {
    const stream = new ByteStream();
    const alien = (version: number) => thing('x', version, { namespace: 'bank' });
    const { source, clock } = world([
      listOf(5, [thing('a', 3), alien(4)]),
      stream,
      listOf(10, [thing('a', 9), alien(7)]),
    ]);
    const informer = new SharedInformer({
      informers: noInformers,
      name: 'things in namespaces bank, shop',
      resource: { group: 'example.com', version: 'v1', resource: 'things' },
      sources: [{ namespace: 'shop', source }],
      lister: namespacedLister<Thing>,
      options: {},
      streaming: false,
      environment: { clock, random: () => 0 },
    });
    const errors: unknown[] = [];
    informer.on('error', (error, { during, object }) => errors.push([String(error), during, object]));
    informer.start();
    await informer.synced;
    stream.line({ type: 'MODIFIED', object: alien(6) });
    stream.line({ type: 'MODIFIED', object: alien(7) });
    stream.line({ type: 'DELETED', object: thing('y', 8, { namespace: 'bank' }) });
    stream.line({ type: 'ERROR', object: apiError('expired').status });
    await clock.advance(800);
    expect(informer.lister.list()).toEqual([thing('a', 9)]);
    expect(informer.stats().unreadable).toBe(1);
    const why = 'bank/x was sent for a request for namespace shop: it is ignored';
    const received = [
      expect.stringContaining(`DecodeError: ${why}`),
      'decode',
      { namespace: 'bank', name: 'x' },
    ];
    expect(errors).toEqual([received, received, received]);
    await informer.stop();
  });
});

describe('an index function that returns a promise', () => {
  it('is reported, and the index stays empty', async () => {
    const { informer, errors } = world([listOf(5, [thing('a', 3)]), new ByteStream()]);
    const valuesOf = () => Promise.reject(new Error('oops'));
    const index = Reflect.apply(informer.addIndex, informer, ['odd', valuesOf]);
    informer.start();
    await informer.synced;
    await settle();
    expect(index.values()).toEqual([]);
    expect(errors).toEqual([
      [
        new Error('index "odd": shop/a is not indexed: the function must return an array of strings'),
        { informer: 'things in namespace shop', during: 'index' },
      ],
    ]);
    await informer.stop();
  });
});

describe('cached objects', () => {
  const managed = thing('a', 3, { managedFields: [{ manager: 'me' }] });

  it.each([
    { options: {}, want: thing('a', 3), frozen: true },
    { options: { freeze: false }, want: thing('a', 3), frozen: false },
    { options: { keepManagedFields: true }, want: managed, frozen: true },
  ])('in tests with $options', async ({ options, want, frozen }) => {
    const { informer } = world([listOf(5, [managed]), new ByteStream()], options);
    informer.start();
    await informer.synced;
    const object = informer.lister.get('shop', 'a');
    expect([object, Object.isFrozen(object)]).toEqual([want, frozen]);
    await informer.stop();
  });

  it.each([
    { env: { NODE_ENV: 'production', NODE_TEST_CONTEXT: undefined }, frozen: false },
    { env: { NODE_ENV: undefined, NODE_TEST_CONTEXT: undefined }, frozen: false },
    { env: { NODE_ENV: undefined, NODE_TEST_CONTEXT: 'child-v8' }, frozen: true },
  ])('with the environment $env', async ({ env, frozen }) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const { informer } = world([listOf(5, [thing('a', 3)]), new ByteStream()]);
    vi.unstubAllEnvs();
    informer.start();
    await informer.synced;
    expect(Object.isFrozen(informer.lister.get('shop', 'a'))).toBe(frozen);
    await informer.stop();
  });

  it('may contain bytes and arrays of any length if frozen', async () => {
    const numbers = Array.from({ length: 300_000 }, (_, number) => number);
    const transform: Transform = (object) => ({ ...object, status: { bytes: Buffer.from('abc'), numbers } });
    const { informer, errors } = world([listOf(5, [thing('a', 3)])], { freeze: true, transform });
    informer.start();
    await informer.synced;
    expect([informer.lister.list().length, errors, Object.isFrozen(numbers)]).toEqual([1, [], true]);
    await informer.stop();
  });

  it('are frozen deeply if requested, also if a transform has frozen them in part', async () => {
    const transform: Transform = (object) => Object.freeze({ ...object, spec: { size: 1 } });
    const { informer } = world([listOf(5, [thing('a', 3)]), new ByteStream()], { freeze: true, transform });
    const caught: unknown[] = [];
    informer.handle({ add: ({ metadata }) => void Object.assign(metadata, { labels: {} }) });
    informer.on('error', (error, { during }) => caught.push([during, error instanceof TypeError]));
    informer.start();
    await informer.synced;
    await delivered(informer);
    expect(() => Object.assign(informer.lister.get('shop', 'a')?.spec ?? {}, { size: 2 })).toThrow(TypeError);
    expect(caught).toEqual([['handler', true]]);
    await informer.stop();
  });
});
