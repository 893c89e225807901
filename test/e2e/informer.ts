import {
  type Informer,
  type KubernetesList,
  type KubernetesObject,
  type NamespacedLister,
  parseApiVersion,
  type Stored,
} from '@kgen/runtime';
import { MetadataClient } from '@kgen/runtime/dynamic';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Clientset, InformerFactory } from '../../generated/crds/index.ts';
import { deadline, type Finished } from '../support/cluster-tests.ts';
import type { Env } from './env.ts';
import { type ConnectionProxy, connectBehindProxy } from './proxy.ts';
import type { NamespacedSample, SampleClient } from './samples.ts';

/** An informer behind a proxy, and a client that connects directly. */
interface Scene<T, L> {
  readonly near: SampleClient<T, L>;
  readonly namespace: string;
  readonly proxy: ConnectionProxy;
  readonly behind: Clientset;
  readonly factory: InformerFactory;
  readonly informer: Informer<T, NamespacedLister<T>>;
  /** Events that handlers received, as `add name wanted`. */
  readonly reported: readonly string[];
  /** Waits until the lister has exactly the objects of the server. */
  agreement(): Promise<void>;
}

/** Registers tests of informers and listers, which converge to the state of the server. */
export function informerTests<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  env: Env,
  sample: NamespacedSample<T, L>,
): void {
  describe(`an informer of ${sample.plural}`, () => {
    it('has the state of the server after every kind of change', async () => {
      const { near, namespace, factory, informer, reported, agreement } = await prepare(
        env,
        sample,
        onTestFinished,
      );
      await near.create(sample.make('a', 1));
      await near.create(sample.make('b', 1));
      expect(informer.isSynced).toBe(false);
      expect(informer.lister.get(namespace, 'a')).toBeUndefined();
      await factory.start();
      await factory.waitForSync();
      expect(informer.isSynced).toBe(true);
      await agreement();
      const c = await near.create(sample.make('c', 1));
      await near.update(sample.change(c, 2));
      await near.delete('a');
      await agreement();
      expect(informer.lister.get(namespace, 'a')).toBeUndefined();
      expect(sample.expected(expectDefined(informer.lister.get(namespace, 'c')))).toBe(2);
      await vi.waitFor(() => expect(reported).toHaveLength(5), deadline);
      expect([...reported.slice(0, 2)].sort()).toEqual(['add a 1 initial', 'add b 1 initial']);
      expect(reported.slice(2)).toEqual(['add c 1', 'update c 1 -> 2', 'delete a 1']);
    });

    readingTests(env, sample);
    handlerTests(env, sample);
    kindTests(env, sample);
  });
}

/** Registers tests of informers whose connections are all reset. */
export function informerCutTests<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  env: Env,
  sample: NamespacedSample<T, L>,
): void {
  describe(`an informer of ${sample.plural} whose connections are cut`, () => {
    it('has the state of the server afterwards', async ({ onTestFinished }) => {
      const { near, proxy, factory, reported, agreement } = await prepare(env, sample, onTestFinished);
      const a = await near.create(sample.make('a', 1));
      await near.create(sample.make('b', 1));
      await factory.start();
      await factory.waitForSync();
      await agreement();
      expect(proxy.connections).toBeGreaterThan(0);
      proxy.block();
      await near.update(sample.change(a, 2));
      await near.delete('b');
      await near.create(sample.make('b', 7));
      await near.create(sample.make('c', 1));
      await proxy.turnedAway();
      proxy.restore();
      await agreement();
      await vi.waitFor(() => expect(reported).toContain('add c 1'), deadline);
      expect(reported.slice(2)).toEqual(['update a 1 -> 2', 'delete b 1', 'add b 7', 'add c 1']);
    });
  });
}

function readingTests<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  env: Env,
  sample: NamespacedSample<T, L>,
): void {
  it('reads by label and by index', async () => {
    const { near, namespace, factory, informer } = await prepare(env, sample, onTestFinished);
    await near.create(sample.make('a', 1, { tier: 'web' }));
    await near.create(sample.make('b', 2, { tier: 'db' }));
    await near.create(sample.make('c', 2));
    const byDesired = informer.addIndex('wanted', (object) => [String(sample.expected(object))]);
    await factory.start();
    await factory.waitForSync();
    const names = (objects: readonly Stored<T>[]): readonly string[] =>
      objects.map(({ metadata }) => metadata.name).sort();
    const { lister } = informer;
    expect(names(lister.list({ labelSelector: 'tier=web' }))).toEqual(['a']);
    expect(names(lister.list({ namespace, labelSelector: 'tier!=web' }))).toEqual(['b', 'c']);
    expect(names(lister.list({ namespace: 'elsewhere' }))).toEqual([]);
    expect(names(byDesired.get('2'))).toEqual(['b', 'c']);
    const b = await near.get('b');
    await near.update(sample.change(b, 3));
    await vi.waitFor(() => expect(names(byDesired.get('3'))).toEqual(['b']), deadline);
    expect(names(byDesired.get('2'))).toEqual(['c']);
  });
}

function handlerTests<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  env: Env,
  sample: NamespacedSample<T, L>,
): void {
  it('calls a late handler with the current objects, and no handler that was removed', async () => {
    const { near, factory, informer } = await prepare(env, sample, onTestFinished);
    await near.create(sample.make('a', 1));
    await factory.start();
    await factory.waitForSync();
    const late: string[] = [];
    const registration = informer.handle({
      add: ({ metadata }, { isInitial }) => void late.push(`${metadata.name} ${isInitial}`),
    });
    await registration.synced;
    expect(late).toEqual(['a true']);
    registration.remove();
    const witness: string[] = [];
    informer.handle({ add: ({ metadata }) => void witness.push(metadata.name) });
    await near.create(sample.make('b', 1));
    await vi.waitFor(() => expect(witness).toContain('b'), deadline);
    expect(late).toEqual(['a true']);
  });

  it('receives nothing after it stops', async () => {
    const { near, namespace, proxy, behind, factory, informer } = await prepare(env, sample, onTestFinished);
    await near.create(sample.make('a', 1));
    await factory.start();
    await factory.waitForSync();
    await factory.stop();
    await behind.close();
    await vi.waitFor(() => expect(proxy.connections).toBe(0), deadline);
    await near.delete('a');
    expect(informer.lister.get(namespace, 'a')).toBeDefined();
  });
}

/**
 * Registers tests of informers of metadata, of several namespaces, and of resources that are named at run
 * time.
 */
function kindTests<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  env: Env,
  sample: NamespacedSample<T, L>,
): void {
  const name = { ...parseApiVersion(sample.apiVersion), resource: sample.plural };

  it('keeps only metadata if requested', async () => {
    const { near, namespace, behind, factory } = await prepare(env, sample, onTestFinished);
    const informer = factory.metadataOf(name);
    const reported: string[] = [];
    informer.handle({
      add: ({ metadata }) => void reported.push(`add ${metadata.name}`),
      update: ({ metadata }) => void reported.push(`update ${metadata.name}`),
      delete: ({ metadata }) => void reported.push(`delete ${metadata.name}`),
    });
    const a = await near.create(sample.make('a', 1, { tier: 'web' }));
    await factory.start();
    await factory.waitForSync({ handlers: true });
    await near.update(sample.change(a, 2));
    await near.create(sample.make('b', 1));
    await near.delete('b');
    await vi.waitFor(() => expect(reported).toEqual(['add a', 'update a', 'add b', 'delete b']), deadline);
    const { items } = await new MetadataClient(behind.rest).resource(name).namespace(namespace).list();
    expect(byUid(informer.lister.list())).toEqual(byUid(items));
    expect(informer.lister.get(namespace, 'a')?.kind).toBe('PartialObjectMetadata');
    expect(Object.keys(informer.lister.get(namespace, 'a') ?? {}).sort()).toEqual([
      'apiVersion',
      'kind',
      'metadata',
    ]);
  });

  it('watches several namespaces, and no others', async () => {
    const { near, namespace, factory } = await prepare(env, sample, onTestFinished);
    const [second, other] = [await env.namespace(), await env.namespace()];
    const informer = factory.of(name, { namespaces: [namespace, second] });
    for (const place of [namespace, second, other]) {
      await sample.client(env.clientset, place).create(sample.make('a', 1));
    }
    await factory.start();
    await factory.waitForSync();
    const places = (): readonly string[] =>
      informer.lister.list().map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    expect([...places()].sort()).toEqual([`${namespace}/a`, `${second}/a`].sort());
    await near.delete('a');
    await sample.client(env.clientset, second).create(sample.make('b', 1));
    const want = [`${second}/a`, `${second}/b`];
    await vi.waitFor(() => expect([...places()].sort()).toEqual(want), deadline);
    expect(informer.lister.list({ namespace }).length).toBe(0);
    expect([...informer.stats().resourceVersions.keys()]).toEqual([namespace, second].sort());
  });
}

async function prepare<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  env: Env,
  sample: NamespacedSample<T, L>,
  finished: Finished,
): Promise<Scene<T, L>> {
  const namespace = await env.namespace();
  const { proxy, behind } = await connectBehindProxy(env.config, finished);
  const factory = new InformerFactory(behind, { namespace });
  finished(() => factory.stop());
  const near = sample.client(env.clientset, namespace);
  const informer = sample.informer(factory);
  return {
    near,
    namespace,
    proxy,
    behind,
    factory,
    informer,
    reported: listen(sample, informer),
    agreement: () => agree(near, informer),
  };
}

function listen<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  { expected }: NamespacedSample<T, L>,
  informer: Informer<T>,
): readonly string[] {
  const reported: string[] = [];
  informer.handle({
    add: (object, { isInitial }) =>
      void reported.push(`add ${object.metadata.name} ${expected(object)}${isInitial ? ' initial' : ''}`),
    update: (object, old) =>
      void reported.push(`update ${object.metadata.name} ${expected(old)} -> ${expected(object)}`),
    delete: (object, { missed }) =>
      void reported.push(`delete ${object.metadata.name} ${expected(object)}${missed ? ' missed' : ''}`),
  });
  return reported;
}

async function agree<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  client: SampleClient<T, L>,
  { lister }: Informer<T, NamespacedLister<T>>,
): Promise<void> {
  const { items } = await client.list();
  await vi.waitFor(() => expect(byUid(lister.list())).toEqual(byUid(items)), deadline);
}

/** Returns objects by uid, without the fields that informers remove. */
function byUid<T>(objects: readonly Stored<T>[]): Record<string, unknown> {
  return Object.fromEntries(
    objects.map((object) => [
      object.metadata.uid,
      { ...object, metadata: { ...object.metadata, managedFields: undefined } },
    ]),
  );
}

function expectDefined<V>(value: V | undefined): V {
  if (value === undefined) throw new Error('expected a value');
  return value;
}
