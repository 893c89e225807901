/** `createManifests` on the server in memory. */
import { isAlreadyExists } from '@kgen/runtime';
import { applyManifests, createManifests, deleteManifests, isManifestsError } from '@kgen/runtime/manifests';
import { startTestServer } from '@kgen/testserver';
import { expect, it, onTestFinished } from 'vitest';

const generated = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { generateName: a- }\n';
const named = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { x: "1" }\n';

async function started() {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  return server;
}

async function errorsOf(work: Promise<unknown>): Promise<readonly unknown[]> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isManifestsError(error)) throw new Error('it should have failed', { cause: error });
  return error.results.map((result) => result.error);
}

it('creates an object for each manifest with generateName, and returns its name', async () => {
  const { config } = await started();
  const results = await createManifests(config, `${generated}---\n${generated}---\n${named}`);
  expect(results.map(({ action }) => action)).toEqual(['created', 'created', 'created']);
  const names = results.map(({ object }) => object?.name);
  expect(names).toEqual([
    expect.stringMatching(/^a-[a-z0-9]{5}$/),
    expect.stringMatching(/^a-[a-z0-9]{5}$/),
    'a',
  ]);
  expect(new Set(names).size).toBe(3);
});

it('does not change an object that exists', async () => {
  const { config } = await started();
  await createManifests(config, named);
  const [error] = await errorsOf(createManifests(config, named.replace('"1"', '"2"')));
  expect(isAlreadyExists(error)).toBe(true);
  const [unchanged] = await applyManifests(config, named, { fieldManager: 'me' });
  expect(unchanged?.error).toBeUndefined();
});

it('creates a namespace before the objects in it', async () => {
  const { config } = await started();
  const placed = generated.replace('{ generateName', '{ namespace: late, generateName');
  const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: late }\n';
  const results = await createManifests(config, `${placed}---\n${namespace}`);
  expect(results.map(({ object }) => object?.kind)).toEqual(['Namespace', 'ConfigMap']);
  expect(results[1]?.object?.namespace).toBe('late');
});

it('stores nothing in a dry run', async () => {
  const { config } = await started();
  const [result] = await createManifests(config, named, { dryRun: 'All' });
  expect(result?.action).toBe('created');
  expect((await deleteManifests(config, named)).map(({ action }) => action)).toEqual(['absent']);
});

it('an apply of an object without a name names the function that creates it', async () => {
  const { config } = await started();
  const [applied] = await errorsOf(applyManifests(config, generated, { fieldManager: 'me' }));
  expect(applied).toMatchObject({ message: expect.stringContaining('create it with createManifests()') });
  const [deleted] = await errorsOf(deleteManifests(config, generated));
  expect(deleted).toMatchObject({ message: expect.stringContaining('name the object to delete') });
});

it('rejects manifests without objects', async () => {
  const { config } = await started();
  await expect(createManifests(config, '# nothing')).rejects.toThrow('no objects to create');
});
