import { describe, expect, test } from 'vitest';
import { at, text } from '../../schema/values/json.ts';
import { call, create, foosPath, next, type Reply, start, watch } from '../client.fixture.ts';

describe('watches of the test server', () => {
  test('receive every change in order, from any version', async () => {
    const server = await start();
    const first = await create(server, 'a');
    const stream = await watch(server, `resourceVersion=${text(first.body, 'metadata', 'resourceVersion')}`);
    await create(server, 'b');
    await call(server, `${foosPath}/a`, {
      method: 'PATCH',
      body: { spec: { size: 1 } },
      type: 'application/merge-patch+json',
    });
    await call(server, `${foosPath}/a`, { method: 'DELETE' });
    expect([await next(stream), await next(stream), await next(stream)]).toEqual([
      'ADDED b',
      'MODIFIED a',
      'DELETED a',
    ]);
    server.faults.endWatches();
    expect(await next(stream)).toBe('end');
  });

  test('receive DELETED for an object that leaves the selection and ADDED for one that enters it', async () => {
    const server = await start();
    const stream = await watch(server, 'labelSelector=on%3Dyes');
    const label = (name: string, on: string): Promise<Reply> =>
      call(server, `${foosPath}/${name}`, {
        method: 'PATCH',
        body: { metadata: { labels: { on } } },
        type: 'application/merge-patch+json',
      });
    await create(server, 'a', { labels: { on: 'yes' } });
    await create(server, 'b');
    await label('a', 'no');
    await label('b', 'yes');
    expect([await next(stream), await next(stream), await next(stream)]).toEqual([
      'ADDED a',
      'DELETED a',
      'ADDED b',
    ]);
  });

  test('receive bookmarks with the latest version', async () => {
    const server = await start();
    const stream = await watch(
      server,
      'allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
    );
    const start1 = await stream.next();
    expect(at(start1.value, 'object', 'metadata', 'annotations', 'k8s.io/initial-events-end')).toBe('true');
    const created = await create(server, 'a');
    expect(await next(stream)).toBe('ADDED a');
    server.faults.sendBookmarks();
    const { value } = await stream.next();
    expect(text(value, 'type')).toBe('BOOKMARK');
    expect(text(value, 'object', 'metadata', 'resourceVersion')).toBe(
      text(created.body, 'metadata', 'resourceVersion'),
    );
  });

  test('receive an ERROR event in a 200 response for an expired version', async () => {
    const server = await start();
    await create(server, 'a');
    server.faults.compact();
    const stream = await watch(server, 'resourceVersion=2');
    const { value } = await stream.next();
    expect([text(value, 'type'), at(value, 'object', 'code'), text(value, 'object', 'reason')]).toEqual([
      'ERROR',
      410,
      'Expired',
    ]);
    expect(await next(stream)).toBe('end');
  });

  test('are interrupted by closing the socket', async () => {
    const server = await start();
    const stream = await watch(server, '');
    await create(server, 'a');
    await next(stream);
    const rest = expect(stream.next()).rejects.toThrow();
    expect(server.faults.cutWatches()).toBe(1);
    await rest;
  });
});

test('stay open with more timeoutSeconds than a timer supports', async () => {
  const server = await start();
  const stream = await watch(server, 'timeoutSeconds=9007199254740991');
  await create(server, 'a');
  expect(await next(stream)).toBe('ADDED a');
  server.faults.endWatches();
});
