import { createServer, type ServerResponse } from 'node:http';
import { resource } from '@kgen/runtime';
import { defineResource, type NamespacedResource } from '@kgen/runtime/client';
import { expect, it, onTestFinished } from 'vitest';
import type { Watch } from '../../src/runtime/exports/client.ts';
import type { KubernetesObject, ListMeta } from '../../src/runtime/exports/index.ts';
import { listen, open } from './support.ts';

interface Thing extends KubernetesObject {
  readonly data: string;
}
interface ThingList extends KubernetesObject {
  readonly metadata: ListMeta;
  readonly items: Thing[];
}

const things: NamespacedResource<Thing, ThingList, Watch<Thing>> = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  listKind: 'ThingList',
  singular: 'thing',
  scope: 'Namespaced',
  verbs: ['list', 'watch'],
});

/** Event-loop turns without progress after which a connection within one process has stalled. */
const stalledTurns = 1000;
/** More than the buffers of the system and of the client can hold. */
const boundBytes = 48 * 1024 * 1024;

/** Writes events as fast as possible. */
class Writer {
  readonly #response: ServerResponse;
  #version = 5;
  written = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.on('drain', () => this.#write());
    this.#write();
  }

  /** Waits until the other side stops reading. */
  async stall(): Promise<number> {
    let before = -1;
    for (let turns = 0; turns < stalledTurns; turns += 1) {
      if (this.written !== before || !this.#response.writableNeedDrain) turns = 0;
      before = this.written;
      if (before > boundBytes) return before;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return before;
  }

  #write(): void {
    const data = 'x'.repeat(5000);
    for (let more = true; more && this.written <= boundBytes; ) {
      this.#version += 1;
      const metadata = { name: 'a', namespace: 'shop', resourceVersion: String(this.#version) };
      const object = { apiVersion: 'example.com/v1', kind: 'Thing', metadata, data };
      const line = `${JSON.stringify({ type: 'MODIFIED', object })}\n`;
      this.written += line.length;
      more = this.#response.write(line);
    }
  }
}

it('pauses a server that writes continuously while no event is requested', async () => {
  const writers: Writer[] = [];
  const server = createServer((_request, response) => void writers.push(new Writer(response)));
  const rest = open({ server: `http://127.0.0.1:${await listen(server)}` });
  const events = resource(rest, things).in('shop').watch({ resourceVersion: '5' })[Symbol.asyncIterator]();
  onTestFinished(async () => void (await events.return?.()));
  expect((await events.next()).value).toMatchObject({ object: { metadata: { resourceVersion: '6' } } });
  const [writer] = writers;
  const stalledAt = (await writer?.stall()) ?? 0;
  expect(stalledAt).toBeGreaterThan(0);
  expect(stalledAt).toBeLessThan(boundBytes);
  // The reader was the bottleneck: reading frees buffers, and every event arrives in order.
  let version = 6;
  while (writer !== undefined && writer.written === stalledAt) {
    version += 1;
    const { value } = await events.next();
    expect(value).toMatchObject({ object: { metadata: { resourceVersion: String(version) } } });
  }
  expect(writer?.written).toBeGreaterThan(stalledAt);
});
