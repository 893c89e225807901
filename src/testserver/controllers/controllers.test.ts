import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { array, type Json, type JsonObject, object, own, strings, text } from '../../schema/values/json.ts';
import { call, crd, create, foosPath, type Reply, start, until } from '../client.fixture.ts';
import type { TestServer } from '../server/testserver.ts';

describe('controllers', () => {
  const ownedBy = (owner: Reply, blockOwnerDeletion: boolean): JsonObject => ({
    ownerReferences: [
      {
        apiVersion: 'test.example.com/v1',
        kind: 'Foo',
        name: text(owner.body, 'metadata', 'name'),
        uid: text(owner.body, 'metadata', 'uid'),
        blockOwnerDeletion,
      },
    ],
  });
  const drop = (server: TestServer, name: string, propagationPolicy: string): Promise<Reply> =>
    call(server, `${foosPath}/${name}`, { method: 'DELETE', body: { propagationPolicy } });

  test('background: deletes dependents after their owner', async () => {
    const server = await start();
    const owner = await create(server, 'owner');
    await create(server, 'child', ownedBy(owner, true));
    expect((await drop(server, 'owner', 'Background')).body['status']).toBe('Success');
    await until(server, `${foosPath}/child`, 404);
  });

  test('foreground: the owner waits for its dependents', async () => {
    const server = await start();
    const owner = await create(server, 'owner');
    await create(server, 'child', { ...ownedBy(owner, true), finalizers: ['test.example.com/hold'] });
    const deleted = await drop(server, 'owner', 'Foreground');
    expect(strings(deleted.body, 'metadata', 'finalizers')).toEqual(['foregroundDeletion']);
    const child = await until(server, `${foosPath}/child`, 200);
    expect((await call(server, `${foosPath}/owner`)).code).toBe(200);
    expect(text(child.body, 'metadata', 'name')).toBe('child');
    await call(server, `${foosPath}/child`, {
      method: 'PATCH',
      body: { metadata: { finalizers: null } },
      type: 'application/merge-patch+json',
    });
    await until(server, `${foosPath}/child`, 404);
    await until(server, `${foosPath}/owner`, 404);
  });

  test('orphan: keeps dependents without the reference', async () => {
    const server = await start();
    const owner = await create(server, 'owner');
    await create(server, 'child', ownedBy(owner, true));
    await drop(server, 'owner', 'Orphan');
    await until(server, `${foosPath}/owner`, 404);
    const child = await call(server, `${foosPath}/child`);
    expect([child.code, array(child.body, 'metadata', 'ownerReferences')]).toEqual([200, []]);
  });

  // As on a real server, where both are requests of the garbage collector.
  test('orphan: the owner outlives the references, of which no manager has a field', async () => {
    const server = await start({ crds: [{ yaml: crd }], time: 'virtual' });
    const owner = await create(server, 'owner');
    await call(server, `${foosPath}/child?fieldManager=op`, {
      method: 'PATCH',
      type: 'application/apply-patch+yaml',
      body: {
        apiVersion: 'test.example.com/v1',
        kind: 'Foo',
        metadata: { name: 'child', labels: { a: 'b' }, ...ownedBy(owner, true) },
      },
    });
    const child = async (): Promise<JsonObject> => object((await call(server, `${foosPath}/child`)).body);
    await drop(server, 'owner', 'Orphan');
    await expect.poll(async () => array(await child(), 'metadata', 'ownerReferences')).toEqual([]);
    expect((await call(server, `${foosPath}/owner`)).code).toBe(200);
    expect(array(await child(), 'metadata', 'managedFields').map((entry) => own(entry, 'fieldsV1'))).toEqual([
      { 'f:metadata': { 'f:labels': { 'f:a': {} } } },
    ]);
    await server.time.advance(100);
    expect((await call(server, `${foosPath}/owner`)).code).toBe(404);
    expect(text(await child(), 'metadata', 'name')).toBe('child');
  });

  test('orphan: an object that receives the reference again is deleted after its owner', async () => {
    const server = await start();
    const owner = await create(server, 'owner', { finalizers: ['test.example.com/hold'] });
    await create(server, 'child', ownedBy(owner, true));
    await drop(server, 'owner', 'Orphan');
    await expect
      .poll(async () => strings((await call(server, `${foosPath}/owner`)).body, 'metadata', 'finalizers'))
      .toEqual(['test.example.com/hold']);
    const patch = (name: string, metadata: JsonObject): Promise<Reply> =>
      call(server, `${foosPath}/${name}`, {
        method: 'PATCH',
        body: { metadata },
        type: 'application/merge-patch+json',
      });
    await patch('child', ownedBy(owner, true));
    await patch('owner', { finalizers: null });
    await until(server, `${foosPath}/child`, 404);
  });

  test('deletes the objects of a deleted namespace and rejects new ones', async () => {
    const server = await start({ crds: [{ yaml: crd }], namespaces: ['team'] });
    const foos = foosPath.replace('default', 'team');
    const body = {
      apiVersion: 'test.example.com/v1',
      kind: 'Foo',
      metadata: { name: 'a', finalizers: ['test.example.com/hold'] },
    };
    await call(server, foos, { method: 'POST', body });
    const deleted = await call(server, '/api/v1/namespaces/team', { method: 'DELETE' });
    expect(text(deleted.body, 'status', 'phase')).toBe('Terminating');
    const late = await call(server, foos, { method: 'POST', body: { ...body, metadata: { name: 'late' } } });
    expect([late.code, text(array(late.body, 'details', 'causes')[0], 'reason')]).toEqual([
      403,
      'NamespaceTerminating',
    ]);
    await call(server, `${foos}/a`, {
      method: 'PATCH',
      body: { metadata: { finalizers: null } },
      type: 'application/merge-patch+json',
    });
    await until(server, '/api/v1/namespaces/team', 404);
  });

  test('establishes and serves a definition of the API, and deletes its objects with it', async () => {
    const server = await start({});
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const created = await call(server, path, { method: 'POST', body: load(crd) as Json });
    expect(object(created.body, 'status')).toMatchObject({ storedVersions: ['v1'] });
    await until(server, foosPath, 200);
    const established = await call(server, `${path}/foos.test.example.com`);
    expect(
      array(established.body, 'status', 'conditions').map(
        (item) => `${text(item, 'type')}=${text(item, 'status')}`,
      ),
    ).toEqual(['NamesAccepted=True', 'Established=True']);
    await create(server, 'a');
    await call(server, `${path}/foos.test.example.com`, { method: 'DELETE' });
    await until(server, `${path}/foos.test.example.com`, 404);
    expect((await call(server, foosPath)).code).toBe(404);
  });

  test('continue with the objects of a snapshot after restore', async () => {
    const server = await start();
    const owner = await create(server, 'owner');
    await create(server, 'child', ownedBy(owner, true));
    await drop(server, 'owner', 'Orphan');
    await until(server, `${foosPath}/owner`, 404);
    const other = await create(server, 'other');
    await create(server, 'kept', { ...ownedBy(other, true), finalizers: ['test.example.com/hold'] });
    await drop(server, 'other', 'Foreground');
    const snapshot = server.snapshot();
    await call(server, `${foosPath}/kept`, {
      method: 'PATCH',
      body: { metadata: { finalizers: null } },
      type: 'application/merge-patch+json',
    });
    await until(server, `${foosPath}/other`, 404);
    server.restore(snapshot);
    await until(server, `${foosPath}/other`, 200);
    await call(server, `${foosPath}/kept`, {
      method: 'PATCH',
      body: { metadata: { finalizers: null } },
      type: 'application/merge-patch+json',
    });
    await until(server, `${foosPath}/other`, 404);
  });
});
