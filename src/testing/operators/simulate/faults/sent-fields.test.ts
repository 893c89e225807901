import type { Json, JsonObject } from '@kgen/schema/values/json';
import { expect, test } from 'vitest';
import { SentFields, type SentWrite } from './sent-fields.ts';

const stored: JsonObject = {
  metadata: { name: 'x', namespace: 'shop', labels: { a: 'b' } },
  spec: { replicas: 2, paused: false, items: [{ a: 1 }] },
};

const write = { resource: 'things', namespace: 'shop', name: 'x', before: stored } as const;

test.each<
  [title: string, write: Pick<SentWrite, 'verb' | 'body'> & Partial<SentWrite>, paths: readonly string[]]
>([
  ['a creation', { verb: 'create', body: { spec: { replicas: 2, items: [{ a: 1 }] } } }, ['spec.replicas']],
  ['an update, less what it returns', { verb: 'update', body: stored }, []],
  [
    'an update that changes a member',
    { verb: 'update', body: stored, before: { spec: { replicas: 1, paused: false } } },
    ['metadata.name', 'metadata.namespace', 'metadata.labels.a', 'spec.replicas'],
  ],
  ['a merge patch', { verb: 'patch', body: { spec: { paused: false, gone: null } } }, ['spec.paused']],
  [
    'a JSON patch',
    { verb: 'patch', body: [{ op: 'replace', path: '/spec/replicas', value: 2 }] satisfies Json },
    ['spec.replicas'],
  ],
  ['a value that another client has changed since', { verb: 'patch', body: { spec: { replicas: 7 } } }, []],
  ['another object', { verb: 'patch', body: { spec: { replicas: 2 } }, name: 'y' }, []],
])('the fields of %s are those that the operator has sent', (_, sent, paths) => {
  const fields = new SentFields();
  fields.note({ ...write, ...sent });
  expect(fields.of('things', stored).map(({ path }) => path.join('.'))).toEqual(paths);
});
