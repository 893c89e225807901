import { RESTClient } from '@kgen/runtime';
import { ObjectsClient } from '@kgen/runtime/dynamic';
import { startObservedServer } from '@kgen/testserver/internal/server/testserver';
import { viewOfRecording } from 'kgen/view';
import { expect, onTestFinished, test } from 'vitest';
import { ClusterRecording, type RecordedPart } from './cluster-recording.ts';

const none = { controllers: false } as const;

async function recorded(maxBytes?: number) {
  const { server, store, log } = await startObservedServer(none);
  const client = new ObjectsClient(server.admin, { transport: server.transport });
  const recording = new ClusterRecording({
    ...{ store, log, program: 'shop', now: () => Date.now() },
    ...(maxBytes !== undefined && { maxBytes }),
  });
  onTestFinished(async () => {
    await client.close();
    await server.stop();
  });
  const map = (name: string, value: string) => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } },
    data: { value },
  });
  return { server, store, client, recording, map };
}

interface ReadLine {
  readonly type: string;
  readonly informer?: number;
  readonly kind?: string;
  readonly [name: string]: unknown;
}

function linesOf({ text }: RecordedPart): readonly ReadLine[] {
  return text.split('\n').flatMap((line): ReadLine[] => (line === '' ? [] : [JSON.parse(line)]));
}

test('a recording has the objects, changes and requests of all users, and increments continue it', async () => {
  const { server, client, recording, map } = await recorded();
  const first = recording.part('');
  const [header, ...rest] = linesOf(first);
  expect(header).toMatchObject({ type: 'kgen recording', program: 'shop', secrets: false, position: 0 });
  const kinds = rest.filter(({ type }) => type === 'informer').map(({ kind }) => kind);
  expect(kinds).toContain('Namespace');
  expect(rest.filter(({ type }) => type === 'object').length).toBeGreaterThan(10);
  expect(recording.part(first.tag)).toEqual({ tag: first.tag, text: '' });

  await client.create(map('one', 'a'));
  const user = new RESTClient(server.as({ user: 'eve' }), { transport: server.transport, userAgent: 'curl' });
  await expect(user.get('/api/v1/namespaces/default/configmaps/one')).rejects.toThrow('forbidden');
  await user.close();
  const second = recording.part(first.tag);
  const [increment, ...added] = linesOf(second);
  expect(increment).toMatchObject({ type: 'kgen recording increment', after: 0 });
  expect(second.tag).toBe(`"${String(increment?.['instance'])}-${String(increment?.['position'])}"`);
  const entries = added.filter(({ type }) => type !== 'informer' && type !== 'state');
  expect(entries.length).toBe(increment?.['position']);
  expect(entries.find(({ type }) => type === 'change')).toMatchObject({
    change: 'add',
    object: { data: { value: 'a' } },
  });
  const [denied] = entries.filter(({ user }) => user === 'eve');
  expect(denied).toMatchObject({ type: 'request', method: 'GET', process: 'curl' });
  const response = entries.find(
    ({ type, request }) => type === 'response' && request === denied?.['request'],
  );
  expect(response).toMatchObject({ result: 'error', status: 403, error: { name: 'ApiError' } });

  const { runs } = viewOfRecording(recording.part('').text);
  const shown = runs[0]?.events.find((event) => event.kind === 'change' && event.target.name === 'one');
  expect(shown).toMatchObject({ change: 'create', target: { resource: 'configmaps' } });
});

test('an increment has the informers of the kinds whose first entry it has', async () => {
  const { store, recording } = await recorded();
  const { tag } = recording.part('');
  const metadata = { name: 'new', namespace: 'default' };
  // Without a request, whose line would be before.
  store.put('widgets.example.com', 'default/new', { apiVersion: 'example.com/v1', kind: 'Widget', metadata });
  const second = recording.part(tag);
  const informer = {
    type: 'informer',
    group: 'example.com',
    version: 'v1',
    resource: 'widgets',
    kind: 'Widget',
  };
  expect(linesOf(second)).toContainEqual(expect.objectContaining(informer));
  store.put('widgets.example.com', 'default/new', { apiVersion: 'example.com/v1', kind: 'Widget', metadata });
  expect(linesOf(recording.part(second.tag)).map(({ type }) => type)).toEqual([
    ...['kgen recording increment', 'change', 'state'],
  ]);
});

test('values of Secrets are lengths', async () => {
  const { client, recording } = await recorded();
  const metadata = { name: 's', namespace: 'default' };
  await client.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    stringData: { password: 'hunter2hunter2' },
  });
  const { text } = recording.part('');
  expect(text).toContain('"password":"(20 characters)"');
  expect(text).not.toContain(Buffer.from('hunter2hunter2').toString('base64'));
});

test('older entries are dropped, and their objects are those of the beginning', async () => {
  const { client, recording, map } = await recorded(20_000);
  const { tag } = recording.part('');
  await client.create(map('kept', 'x'));
  await client.create(map('gone', 'x'));
  await client.delete(map('gone', 'x'));
  for (let index = 0; index < 40; index += 1)
    await client.patch(map('kept', ''), { data: { value: `${index}` } }, { type: 'merge' });
  const behind = linesOf(recording.part(tag));
  expect(behind[0]?.type).toBe('kgen recording');
  expect(Number(behind[0]?.['dropped'])).toBeGreaterThan(20);
  const names = behind.filter(({ type }) => type === 'object').map(({ object }) => JSON.stringify(object));
  expect(names.filter((each) => each.includes('"name":"kept"')).length).toBe(1);
  expect(names.filter((each) => each.includes('"name":"gone"'))).toEqual([]);
  const entries = behind.filter(({ type }) => ['change', 'request', 'response'].includes(type));
  expect(entries.length).toBe(Number(behind[0]?.['position']) - Number(behind[0]?.['dropped']));
});

test('a restored snapshot is recorded as changes', async () => {
  const { server, store, client, recording, map } = await recorded();
  await client.create(map('same', 'a'));
  await client.create(map('changed', 'a'));
  const snapshot = server.snapshot();
  await client.create(map('later', 'a'));
  await client.patch(map('changed', ''), { data: { value: 'b' } }, { type: 'merge' });
  const { tag } = recording.part('');
  const before = store.content();
  server.restore(snapshot);
  recording.restored(before, store.content());
  const changes = linesOf(recording.part(tag)).filter(({ type }) => type === 'change');
  const shown = changes.map(({ change, object }) => [
    change,
    /"name":"(\w+)"/.exec(JSON.stringify(object))?.[1],
  ]);
  expect(shown).toEqual([
    ['delete', 'later'],
    ['update', 'changed'],
  ]);
});
