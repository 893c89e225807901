import { describe, expect, it } from 'vitest';
import type { KubernetesObject, OwnerReference } from '../api/meta.ts';
import {
  controllerOf,
  isControlledBy,
  isOwnedBy,
  isOwnerTerminating,
  type OwnerObject,
  OwnerTerminatingError,
  ownerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from './owners.ts';

const app: OwnerObject = {
  apiVersion: 'my.domain/v1',
  kind: 'MyApp',
  metadata: { name: 'shop', namespace: 'one', uid: 'u1' },
};
const other: OwnerObject = { ...app, metadata: { name: 'other', namespace: 'one', uid: 'u2' } };
const cluster: OwnerObject = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', uid: 'u3' } };
const toApp: OwnerReference = { apiVersion: 'my.domain/v1', kind: 'MyApp', name: 'shop', uid: 'u1' };

function pod(ownerReferences?: OwnerReference[], namespace = 'one'): KubernetesObject {
  return { kind: 'Pod', metadata: { name: 'p', namespace, ...(ownerReferences && { ownerReferences }) } };
}

describe('ownerReference', () => {
  it.each([
    [{}, toApp],
    [{ controller: true }, { ...toApp, controller: true }],
    [
      { controller: false, blockOwnerDeletion: true },
      { ...toApp, controller: false, blockOwnerDeletion: true },
    ],
  ])('%j', (options, want) => {
    expect(ownerReference(app, options)).toEqual(want);
  });

  it.each<[OwnerObject]>([
    [{ kind: 'MyApp', metadata: { name: 'shop', uid: 'u1' } }],
    [{ apiVersion: 'v1', metadata: { name: 'shop', uid: 'u1' } }],
    [{ apiVersion: 'v1', kind: 'MyApp', metadata: { name: 'shop' } }],
    [{ apiVersion: 'v1', kind: 'MyApp', metadata: { name: 'shop', uid: '' } }],
    [{ apiVersion: 'v1', kind: 'MyApp', metadata: { uid: 'u1' } }],
    [{ apiVersion: 'v1', kind: 'MyApp' }],
  ])('throws for %j', (owner) => {
    expect(() => ownerReference(owner)).toThrow(/it needs apiVersion, kind, metadata.name and metadata.uid/);
  });
});

describe('setControllerReference', () => {
  const controls = { ...toApp, controller: true, blockOwnerDeletion: true };
  it.each<[what: string, object: KubernetesObject, want: OwnerReference[]]>([
    ['no owner yet', pod(), [controls]],
    ['owned, not controlled', pod([toApp]), [controls]],
    ['controlled by it already', pod([controls]), [controls]],
    [
      'controlled by it in an older version',
      pod([{ ...controls, apiVersion: 'my.domain/v1beta1' }]),
      [controls],
    ],
    ['controlled by its predecessor', pod([{ ...controls, uid: 'u0' }]), [controls]],
    ['owned by another', pod([{ ...toApp, name: 'x' }]), [{ ...toApp, name: 'x' }, controls]],
    [
      'an owner of another group',
      pod([{ ...toApp, apiVersion: 'v1' }]),
      [{ ...toApp, apiVersion: 'v1' }, controls],
    ],
  ])('%s', (_, object, want) => {
    const before = structuredClone(object);
    expect(setControllerReference(object, app).metadata?.ownerReferences).toEqual(want);
    expect(object).toEqual(before);
  });

  it.each<[what: string, object: KubernetesObject, owner: OwnerObject, message: string]>([
    [
      'controlled by another',
      pod([ownerReference(other, { controller: true })]),
      app,
      'Pod one/p cannot be controlled by MyApp one/shop: MyApp other controls it already',
    ],
    ['another namespace', pod([], 'two'), app, 'owner and object must be in the same namespace'],
    ['no namespace', pod([], ''), app, 'a namespaced owner cannot own an object without a namespace'],
    ['an owner without uid', pod(), { ...app, metadata: { name: 'shop' } }, 'it needs apiVersion'],
  ])('throws: %s', (_, object, owner, message) => {
    expect(() => setControllerReference(object, owner)).toThrow(message);
  });

  it('allows cluster-scoped owners for any object', () => {
    const owned = setControllerReference(pod(), cluster, { blockOwnerDeletion: false });
    expect(controllerOf(owned)).toEqual({
      ...ownerReference(cluster),
      controller: true,
      blockOwnerDeletion: false,
    });
  });
});

describe('owners of an object', () => {
  const owned = setOwnerReference(setControllerReference(pod(), app), other);
  it('returns whether an object is owned or controlled', () => {
    expect([isOwnedBy(owned, app), isOwnedBy(owned, other), isOwnedBy(owned, cluster)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([isControlledBy(owned, app), isControlledBy(owned, other)]).toEqual([true, false]);
    expect(controllerOf(pod())).toBeUndefined();
  });

  it('are compared by uid, not by name', () => {
    expect(isOwnedBy(owned, { ...app, metadata: { ...app.metadata, uid: 'new' } })).toBe(false);
    expect(isOwnedBy({ metadata: { ownerReferences: [{ ...toApp, uid: '' }] } }, { kind: 'MyApp' })).toBe(
      false,
    );
  });

  it('removes one owner, and returns the same object without one', () => {
    const rest = removeOwnerReference(owned, app);
    expect(rest.metadata?.ownerReferences).toEqual([ownerReference(other)]);
    expect(removeOwnerReference(rest, app)).toBe(rest);
  });
});

describe('an owner that is being deleted', () => {
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  const ending = { ...app, metadata: { ...app.metadata, deletionTimestamp }, spec: { token: 'secret' } };
  const successor = { ...toApp, uid: 'u0', controller: true };

  it.each<[object: string, add: () => unknown]>([
    ['a reference', () => ownerReference(ending)],
    ['an object without owners, as an owner', () => setOwnerReference(pod(), ending)],
    ['an object without owners, as its controller', () => setControllerReference(pod(), ending)],
    ['an object of its predecessor', () => setControllerReference(pod([successor]), ending)],
    ['an object that it owns, as its controller', () => setControllerReference(pod([toApp]), ending)],
  ])('throws OwnerTerminatingError for %s', (_, add) => {
    let thrown: unknown;
    try {
      add();
    } catch (error) {
      thrown = error;
    }
    expect(isOwnerTerminating(thrown)).toBe(true);
    expect(thrown).toBeInstanceOf(OwnerTerminatingError);
    expect(thrown).toMatchObject({
      name: 'OwnerTerminatingError',
      message: 'no object may refer to MyApp one/shop: it is being deleted',
    });
    // The identity, not the content.
    expect(thrown).toHaveProperty('owner', app);
  });

  it('keeps the objects that it owns or controls', () => {
    const owned = setOwnerReference(pod(), app);
    const controlled = setControllerReference(pod(), app);
    expect(setOwnerReference(owned, ending)).toBe(owned);
    expect(setControllerReference(controlled, ending)).toBe(controlled);
    expect(removeOwnerReference(controlled, ending).metadata?.ownerReferences).toEqual([]);
    expect([isOwnerTerminating(new Error('no')), isOwnerTerminating(undefined)]).toEqual([false, false]);
  });
});
