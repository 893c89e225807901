/** Objects that a primary object needs, on a server in memory and on a real one. */
import {
  anyChange,
  Controller,
  type DependentsState,
  dependent,
  Manager,
  type OwnedDependent,
  OwnedDependents,
  type OwnedDependentsOptions,
} from '@kgen/controller';
import {
  type ConfigMap,
  configMaps,
  namespaces,
  type ServiceAccount,
  serviceAccounts,
} from '@kgen/kubernetes/core/v1';
import { clusterRoles } from '@kgen/kubernetes/rbac.authorization.k8s.io/v1';
import { type ClusterConfig, InformerFactory, RESTClient, resource, type Stored } from '@kgen/runtime';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DependentWrites } from '../../src/controller/dependents/dependent-writes.ts';
import { withOwner } from '../../src/controller/dependents/ownership.ts';

type Owner = Stored<ServiceAccount>;
const selector = { suite: 'dependents' };
const wait = { timeout: 30_000 };

/** Registers the tests. */
export function dependentsSuite(config: () => ClusterConfig): void {
  let rest: RESTClient;
  let count = 0;
  beforeAll(() => {
    rest = new RESTClient(config());
  });
  afterAll(() => rest?.close());

  /** Creates namespaces, and clients of a user for the kinds of the tests. */
  async function user() {
    count += 1;
    const [name, other] = [`dependents-${count}`, `dependents-${count}-other`];
    for (const each of [name, other]) await resource(rest, namespaces).create({ metadata: { name: each } });
    return {
      name,
      other,
      owners: resource(rest, serviceAccounts).in(name),
      maps: resource(rest, configMaps).in(name),
      otherMaps: resource(rest, configMaps).in(other),
      roles: resource(rest, clusterRoles),
    };
  }

  /** Runs a controller of ServiceAccounts of a namespace, and collects its states. */
  function running(
    namespace: string,
    declare: (informers: InformerFactory) => readonly OwnedDependent<Owner>[],
    options: OwnedDependentsOptions = {},
  ) {
    const manager = new Manager(config(), {
      name: 'suite',
      handleSignals: false,
      log: { debug: () => undefined, info: () => undefined, warn: failed, error: failed },
    });
    const failures: string[] = [];
    function failed(_: object, message: string): void {
      failures.push(message);
    }
    const informers = new InformerFactory(manager);
    const dependents = new OwnedDependents<Owner>(declare(informers), options);
    const states: DependentsState[] = [];
    const controller = new Controller({
      name: 'suite',
      for: {
        informer: informers.of(serviceAccounts, { namespace, labelSelector: 'suite' }),
        predicate: anyChange,
      },
      owns: dependents.informers,
      watches: dependents.watches,
      finalizer: 'example.com/suite',
      reconcile: async (owner) => void states.push(await dependents.reconcile(owner)),
      finalize: (owner) => dependents.finalize(owner),
    });
    const abort = new AbortController();
    const ended = manager.add(controller).run({ signal: abort.signal });
    onTestFinished(async () => {
      abort.abort();
      await ended;
    });
    const last = () => states.at(-1)?.dependents.map(({ name, state }) => `${name} ${state}`);
    return { states, failures, last };
  }

  /** Declares a ConfigMap `settings`, whose data and labels are annotations of the owner. */
  const settings =
    (changes: Partial<OwnedDependent<Owner, ConfigMap>> = {}, namespace?: string) =>
    (informers: InformerFactory) => [
      dependent<Owner, ConfigMap>({
        name: 'settings',
        informer: informers.of(configMaps, { labelSelector: 'suite' }),
        desired: ({ metadata: { annotations } }) => ({
          metadata: {
            name: 'settings',
            namespace,
            labels: { ...selector, ...read(annotations?.['labels']) },
          },
          data: read(annotations?.['data']),
          immutable: annotations?.['immutable'] === 'yes' || undefined,
        }),
        ...changes,
      }),
    ];
  const owner = (annotations: Record<string, string> = { data: 'x' }) => ({
    metadata: { name: 'owner', labels: selector, annotations },
  });

  it('fields and labels that are no longer desired are removed, and a lost reference is restored', async () => {
    const { name, owners, maps } = await user();
    const { last, failures } = running(name, settings());
    await owners.create(owner({ data: 'x,toggle', labels: 'l1,l2' }));
    await expect.poll(async () => (await maps.find('settings'))?.data, wait).toEqual({ x: '', toggle: '' });
    await expect.poll(last, wait).toEqual(['settings ready']);
    await owners.patch('owner', owner({ data: 'x', labels: 'l1' }));
    await expect.poll(async () => (await maps.get('settings')).data, wait).toEqual({ x: '' });
    const map = await maps.get('settings');
    expect(map.metadata.labels).toEqual({ ...selector, l1: '' });
    expect(map.metadata.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`)).toEqual([
      'suite Apply',
    ]);
    await maps.patch('settings', { metadata: { ownerReferences: null } } as never);
    await owners.patch('owner', { metadata: { labels: { again: 'yes' } } });
    const references = async () => (await maps.get('settings')).metadata.ownerReferences?.length;
    await expect.poll(references, wait).toBe(1);
    expect(failures).toEqual([]);
  });

  it.each(['never', 'unowned'] as const)(
    'an object of a user that no cache shows is not taken over, with adopt %s',
    async (adopt) => {
      const { name, owners, maps } = await user();
      // Without the label that the informer selects, as an object that was created a moment ago.
      const { metadata } = await maps.create({ metadata: { name: 'settings' }, data: { theirs: 'yes' } });
      const { states, last } = running(name, settings(), { adopt });
      await owners.create(owner());
      if (adopt === 'unowned') {
        await expect.poll(last, wait).toEqual(['settings ready']);
        expect((await maps.get('settings')).data).toEqual({ theirs: 'yes', x: '' });
        return;
      }
      await expect.poll(last, wait).toEqual(['settings conflict']);
      expect(states.at(-1)?.condition).toMatchObject({
        status: 'False',
        reason: 'DependentConflict',
        message: `settings is in conflict: ConfigMap ${name}/settings has no controller`,
      });
      await owners.delete('owner');
      await expect.poll(() => owners.find('owner'), wait).toBeUndefined();
      expect((await maps.get('settings')).metadata).toEqual(metadata);
    },
  );

  it('an object of a user is left alone, and replaced once the user has deleted it', async () => {
    const { name, owners, maps } = await user();
    await maps.create({ metadata: { name: 'settings', labels: selector }, data: { theirs: 'yes' } });
    const { last, failures } = running(name, settings());
    await owners.create(owner());
    await expect.poll(last, wait).toEqual(['settings conflict']);
    expect((await maps.get('settings')).data).toEqual({ theirs: 'yes' });
    await maps.delete('settings');
    await expect.poll(last, wait).toEqual(['settings ready']);
    expect((await maps.get('settings')).data).toEqual({ x: '' });
    expect(failures).toEqual([]);
  });

  it('objects that references cannot reach are tracked by labels, and deleted with their owner', async () => {
    const { name, other, owners, otherMaps, roles } = await user();
    const role = `${name}-role`;
    const { last, failures } = running(name, (informers) => [
      ...settings({ trackedBy: 'labels' }, other)(informers),
      dependent({
        name: 'role',
        informer: informers.of(clusterRoles, { labelSelector: 'suite' }),
        trackedBy: 'labels',
        desired: () => ({ metadata: { name: role, labels: selector }, rules: [] }),
      }),
    ]);
    const { metadata } = await owners.create(owner());
    await expect.poll(last, wait).toEqual(['settings ready', 'role ready']);
    for (const object of [await otherMaps.get('settings'), await roles.get(role)]) {
      expect(object.metadata.labels).toMatchObject({
        'kgen.dev/owner-uid': metadata.uid,
        'kgen.dev/owner-name': 'owner',
      });
      expect(object.metadata.ownerReferences).toBeUndefined();
    }
    await otherMaps.delete('settings');
    await expect.poll(() => otherMaps.find('settings'), wait).toBeDefined();
    await owners.delete('owner');
    await expect.poll(() => owners.find('owner'), wait).toBeUndefined();
    expect([await otherMaps.find('settings'), await roles.find(role)]).toEqual([undefined, undefined]);
    expect(failures).toEqual([]);
  });

  it('an object that cannot change is deleted and created again', async () => {
    const { name, owners, maps } = await user();
    const { last, failures } = running(name, settings({ recreate: true }));
    await owners.create(owner({ data: 'x', immutable: 'yes' }));
    await expect.poll(last, wait).toEqual(['settings ready']);
    const { uid } = (await maps.get('settings')).metadata;
    await owners.patch('owner', owner({ data: 'y', immutable: 'yes' }));
    await expect.poll(async () => (await maps.find('settings'))?.data, wait).toEqual({ y: '' });
    await expect.poll(last, wait).toEqual(['settings ready']);
    expect((await maps.get('settings')).metadata.uid).not.toBe(uid);
    expect(failures).toEqual([]);
  });

  it('an object that the server rejects is not retried before a change', async () => {
    const { name, owners, maps } = await user();
    const { states, last, failures } = running(name, settings());
    await owners.create(owner({ data: 'not a key' }));
    await expect.poll(last, wait).toEqual(['settings invalid']);
    expect(states.at(-1)?.condition).toMatchObject({ status: 'False', reason: 'DependentInvalid' });
    // Other objects of the controller: after the run of the first one the own writes of the rejected run
    // have been seen, and after that of the second one a retry would have been due.
    const runOf = async (other: string): Promise<void> => {
      const runs = states.length;
      await owners.create({ metadata: { ...owner().metadata, name: other } });
      await expect.poll(() => states.slice(runs).some(({ isSettled }) => isSettled), wait).toBe(true);
      await owners.delete(other);
      await expect.poll(() => owners.find(other), wait).toBeUndefined();
      await expect.poll(() => maps.find('settings'), wait).toBeUndefined();
    };
    await runOf('another');
    const runs = states.length;
    await runOf('third');
    expect(states.slice(runs).filter(({ condition }) => condition.reason === 'DependentInvalid')).toEqual([]);
    await owners.patch('owner', owner({ data: 'key' }));
    await expect.poll(last, wait).toEqual(['settings ready']);
    expect(failures).toEqual([]);
  });

  describe('a write', () => {
    /** Returns a dependent of an owner, with its intent, whose requests are sent as they are. */
    async function written(data: Record<string, string>) {
      const { owners, maps, name } = await user();
      const primary = await owners.create(owner());
      const intent = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'settings', namespace: name },
        data,
      };
      const informer = new InformerFactory({ rest }).of(configMaps);
      const dependentOf = {
        name: 'settings',
        informer,
        primary,
        tracking: 'ownerReference',
        adopt: 'never',
        recreate: false,
        fieldManager: () => 'suite',
      } as const;
      return { primary, intent, maps, dependentOf };
    }
    const writes = new DependentWrites();

    it('of an object whose creation was interrupted takes its fields over', async () => {
      const { primary, intent, maps, dependentOf } = await written({ x: '', toggle: '' });
      const body = withOwner(intent, primary, 'ownerReference');
      await maps.create(body as ConfigMap, { fieldManager: 'suite' });
      const expected = { ...intent, data: { x: '' } };
      await writes.apply(dependentOf, expected, undefined);
      expect((await maps.get('settings')).data).toEqual({ x: '' });
    });

    it('of an object that the cache does not show yet changes nothing', async () => {
      const { intent, maps, dependentOf } = await written({ x: '' });
      await writes.apply(dependentOf, intent, undefined);
      const { metadata } = await maps.get('settings');
      await writes.apply(dependentOf, intent, undefined);
      expect((await maps.get('settings')).metadata).toEqual(metadata);
    });

    it('does not reach an object that has replaced the cached one', async () => {
      const { intent, maps, dependentOf } = await written({ x: '' });
      const cached = await writes.apply(dependentOf, intent, undefined);
      await maps.delete('settings');
      const theirs = await maps.create({ metadata: { name: 'settings' }, data: { theirs: 'yes' } });
      await expect(writes.apply(dependentOf, intent, cached)).rejects.toThrow('has no controller');
      await expect(writes.delete(dependentOf, cached)).rejects.toMatchObject({ code: 409 });
      expect(await maps.get('settings')).toEqual(theirs);
    });
  });
}

function read(keys = ''): Record<string, string> {
  return Object.fromEntries(keys.split(',').flatMap((key) => (key === '' ? [] : [[key, '']])));
}
