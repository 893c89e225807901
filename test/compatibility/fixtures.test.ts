/**
 * Clients that each release has generated, with the present runtime: they compile, and work against a server.
 * `node scripts/compatibility.mjs` writes those of this version.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClusterConfig } from '@kgen/runtime';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { complaints, programOf } from '../support/checker.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const fixtures = fileURLToPath(new URL('fixtures', import.meta.url));

describe.each(readdirSync(fixtures))('clients that kgen %s has generated', (version) => {
  const folder = join(fixtures, version);
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ crds: [join(root, 'crds/foo.yaml')] });
  });
  afterAll(() => server?.stop());

  it('compile under the strictest options', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    expect(files.length).toBeGreaterThan(30);
    expect(complaints(programOf(folder, files), folder)).toEqual([]);
  });

  it.each([
    { name: 'crds', group: 'samplecontrollerV1alpha1', resource: 'foos', spec: { image: 'web:1' } },
    { name: 'kubernetes', group: 'coordinationV1', resource: 'leases', spec: { holderIdentity: 'a' } },
  ])('$resource are written, watched and cached', async ({ name, group, resource, spec }) => {
    const { Clientset, InformerFactory } = await outputOf(join(folder, name));
    const clientset = new Clientset(server.config);
    const informers = new InformerFactory(clientset);
    try {
      const objects = clientset[group]?.[resource]?.('default');
      const informer = informers[group]?.[resource]?.();
      if (objects === undefined || informer === undefined) throw new Error('an accessor is missing');
      await objects.create({ metadata: { name: 'one' }, spec });
      const started = await objects.list();
      informers.start();
      await informers.waitForSync();
      const changed = objects.apply(
        { metadata: { name: 'one', labels: { a: 'b' } } },
        { fieldManager: 'test' },
      );
      for await (const { type, object } of objects.watch({
        resourceVersion: started.metadata.resourceVersion,
      })) {
        expect([type, object.metadata.labels]).toEqual(['MODIFIED', { a: 'b' }]);
        break;
      }
      expect((await changed).spec).toEqual(spec);
      await vi.waitFor(() =>
        expect(informer.lister.list().map(({ metadata }) => metadata.labels)).toEqual([{ a: 'b' }]),
      );
      await objects.delete('one');
      await expect(objects.get('one')).rejects.toMatchObject({ code: 404 });
    } finally {
      await informers.stop();
      await clientset.close();
    }
  });
});

interface ObjectOf {
  readonly metadata: { readonly name: string; readonly labels?: object; readonly resourceVersion?: string };
  readonly spec?: object;
}

interface Client {
  create(object: ObjectOf): Promise<ObjectOf>;
  apply(object: ObjectOf, options: object): Promise<ObjectOf>;
  list(): Promise<{ readonly metadata: { readonly resourceVersion?: string } }>;
  watch(options: object): AsyncIterable<{ readonly type: string; readonly object: ObjectOf }>;
  delete(name: string): Promise<unknown>;
  get(name: string): Promise<unknown>;
}

type Groups<T> = Readonly<Record<string, Readonly<Record<string, T>> | undefined>>;

/** The members of an output that the test uses. */
interface Output {
  readonly Clientset: new (
    config: ClusterConfig,
  ) => Groups<(namespace: string) => Client> & { readonly close: () => Promise<void> };
  readonly InformerFactory: new (
    clientset: unknown,
  ) => Groups<() => { readonly lister: { list(): readonly ObjectOf[] } }> & {
    readonly start: () => void;
    readonly waitForSync: () => Promise<void>;
    readonly stop: () => Promise<void>;
  };
}

/** Modules of a release that the compiler does not know here. */
async function outputOf(folder: string): Promise<Output> {
  // seam: the names of generated exports are part of the promise.
  return (await import(join(folder, 'index.ts'))) as Output;
}
