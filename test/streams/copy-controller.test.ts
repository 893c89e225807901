/** `copyFrom` in a reconcile function, from containers that send what was not requested. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller, Manager } from '@kgen/controller';
import { Clientset, InformerFactory } from '@kgen/kubernetes';
import { copyFrom } from '@kgen/runtime/streams';
import { expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { contentOf } from './images.ts';
import { accepting, startServer, success } from './support.ts';
import { file, folder, link, temporaryFolder } from './tar-entries.ts';

/** Archives by the name of their pod. */
const archives = (outside: string): Readonly<Record<string, readonly Buffer[]>> => ({
  honest: [file('src', 'content')],
  parent: [file('../evil')],
  absolute: [file(join(outside, 'evil'))],
  sibling: [file('other', 'evil')],
  link: [link('src', outside), file('src/evil')],
  'link-below': [folder('src'), link('src/out', outside), file('src/out/evil')],
  cut: [file('src', 'x'.repeat(5000)).subarray(0, 3000)],
  garbage: [Buffer.alloc(4096, 0xff)],
  large: [file('src', 'x'.repeat(200_000))],
  silent: [],
});

function respond(socket: WebSocket, archive: readonly Buffer[] | undefined, name: string): void {
  if (archive === undefined || name === 'silent') return;
  socket.send(Buffer.concat([Buffer.of(1), ...archive, Buffer.alloc(1024)]));
  socket.send(success);
  socket.close(1000);
}

it('copyFrom in a controller stays in its target, fails for each hostile container, and ends with the stop', {
  timeout: 60_000,
}, async () => {
  const [target, outside] = [await temporaryFolder(), await temporaryFolder()];
  const sent = archives(outside);
  const names = Object.keys(sent);
  const items = names.map((name, index) => ({
    metadata: { name, namespace: 'shop', uid: name, resourceVersion: String(index + 1) },
  }));
  const upgrade = accepting(['v5.channel.k8s.io'], (socket, { url = '' }) => {
    const name = url.split('/')[6] ?? '';
    respond(socket, Object.hasOwn(sent, name) ? sent[name] : undefined, name);
  });
  const server = await startServer(upgrade, undefined, ({ url = '' }, response) => {
    const isWatch = new URL(url, 'http://server').searchParams.has('watch');
    response.setHeader('content-type', 'application/json');
    if (isWatch) response.flushHeaders();
    else
      response.end(
        JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '99' }, items }),
      );
  });
  const silent = (): void => undefined;
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  const manager = new Manager({ server }, { handleSignals: false, gracePeriodMs: 100, log });
  const client = manager.client(Clientset);
  const informers = new InformerFactory(client, { namespace: 'shop', streaming: false });
  const results = new Map<string, unknown>();
  const pending = new Set<string>();
  manager.add(
    new Controller({
      name: 'copies',
      for: informers.coreV1.pods(),
      client,
      concurrency: names.length,
      maxAttempts: 1,
      reconcile: async ({ metadata: { name } }, { client: own, signal }) => {
        pending.add(name);
        const options = { signal, maxBytes: 100_000 };
        const copied = copyFrom(own.coreV1.pods('shop'), name, '/src', join(target, name), options);
        results.set(
          name,
          await copied.then(
            ({ files }) => files,
            (error: unknown) => error,
          ),
        );
        pending.delete(name);
      },
    }),
  );
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  await expect.poll(() => results.size, { timeout: 30_000 }).toBe(names.length - 1);
  expect([...pending]).toEqual(['silent']);
  stop.abort();
  await running;
  const succeeded = names.filter((name) => !(results.get(name) instanceof Error));
  // A link is skipped, so that the file below it is in the target.
  expect(succeeded).toEqual(['honest', 'link-below']);
  expect(await readdir(outside)).toEqual([]);
  expect(await contentOf(target)).toMatchObject({
    honest: 'content',
    ...{ 'link-below': 'folder', 'link-below/out': 'folder', 'link-below/out/evil': 'x' },
  });
  expect((await readdir(target)).filter((name) => !names.includes(name))).toEqual([]);
});
