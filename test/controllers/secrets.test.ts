/** Values of Secrets in errors of programs: records, recordings and logs mask them. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Controller } from '@kgen/controller';
import { secrets } from '@kgen/kubernetes/core/v1';
import { InformerFactory, type RESTClient, resource } from '@kgen/runtime';
import { expect, it, onTestFinished } from 'vitest';
import { world } from './support.ts';

const value = 'pa"ss\nwörd-hunter22';
const base64 = Buffer.from(value).toString('base64');
const app = { metadata: { name: 'web' }, spec: { appName: 'web', version: '1' } };

/** Reads or writes the Secret `db` in a reconcile, and returns its value. */
type Use = (rest: RESTClient) => Promise<unknown>;

const decoded = (data: Record<string, string> | undefined): string =>
  Buffer.from(data?.['password'] ?? '', 'base64').toString();

const uses: Readonly<Record<string, Use>> = {
  get: async (rest) => decoded((await resource(rest, secrets).in('shop').get('db')).data),
  list: async (rest) => decoded((await resource(rest, secrets).in('shop').list()).items[0]?.data),
  watch: async (rest) => {
    for await (const { object } of await resource(rest, secrets).in('shop').watch())
      return decoded(object.data);
    return undefined;
  },
  'wait for': async (rest) =>
    decoded(
      (
        await resource(rest, secrets)
          .in('shop')
          .waitFor('db', (secret) => secret !== undefined)
      )?.data,
    ),
  'a path': async (rest) => {
    const read: unknown = await rest.request({ path: '/api/v1/namespaces/shop/secrets/db' });
    return decoded(Reflect.get(Object(read), 'data'));
  },
  'stringData of an apply': async (rest) => {
    await resource(rest, secrets)
      .in('shop')
      .apply({ metadata: { name: 'own' }, stringData: { password: value } }, { fieldManager: 'test' });
    return value;
  },
  'data of an update': async (rest) => {
    const client = resource(rest, secrets).in('shop');
    const { metadata } = await client.get('other');
    await client.update({ metadata, data: { password: base64 } });
    return value;
  },
};

async function start(use: Use | undefined) {
  const folder = await mkdtemp(join(tmpdir(), 'kgen-secrets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const it = await world({ recorder: { directory: folder } });
  const client = resource(it.user.rest, secrets).in('shop');
  await client.create({ metadata: { name: 'db' }, data: { password: base64 } });
  await client.create({ metadata: { name: 'other' }, data: { password: 'b3RoZXItdmFsdWU=' } });
  const cached = new InformerFactory(it.clientset).of(secrets, { namespaces: ['shop'] });
  const controller = new Controller({
    name: 'leaky',
    for: it.informers.myV1.myApps(),
    ...(use === undefined && { watches: [{ informer: cached, map: () => [] }] }),
    maxAttempts: 2,
    reconcile: async (_, { log, attempt }) => {
      const read =
        use === undefined
          ? decoded(cached.find({ namespace: 'shop', name: 'db' })?.data)
          : await use(it.manager.rest);
      log.info({ read, nested: { list: [`is ${String(read)}`] } }, `read ${String(read)}`);
      if (attempt === 1)
        throw new Error(`value is ${String(read)}`, { cause: new TypeError(`of ${base64}`) });
      throw new Error(`sent ${JSON.stringify({ password: read })}`);
    },
  });
  it.manager.add(controller);
  void it.run();
  await it.user.myV1.myApps('shop').create(app);
  return { it, folder, controller };
}

it.each([...Object.keys(uses), 'the cache'])('are masked after %s', async (how) => {
  const { it, folder, controller } = await start(uses[how]);
  const failed = () => it.log.filter(({ message }) => message.startsWith('reconcile failed'));
  await expect.poll(() => failed().length).toBe(2);
  const file = join(folder, 'now.jsonl');
  await it.manager.record(file);
  const recording = await readFile(file, 'utf8');
  const shown = [recording, inspect(it.log, { depth: 10 }), JSON.stringify(controller.reconciles())];
  for (const text of shown) {
    expect(text).toContain('(redacted)');
    for (const form of [value, base64, 'hunter22']) expect(text).not.toContain(form);
  }
  expect(failed().map(({ message }) => message)).toEqual([
    'reconcile failed: value is (redacted)',
    'reconcile failed and is not retried: sent {"password":"(redacted)"}',
  ]);
  const { err } = failed()[0]?.fields ?? {};
  expect(err).toMatchObject({ name: 'Error', cause: expect.any(TypeError) });
  await it.stop();
});
