import { expect, test } from 'vitest';
import { shownContent } from './secrets.ts';

const lastApplied = { 'kubectl.kubernetes.io/last-applied-configuration': 'hunter2' };
const secret = { kind: 'Secret', metadata: { name: 'db', annotations: { note: 'hunter2' } }, type: 'Opaque' };

test.each([
  ['data', { ...secret, data: { password: 'aHVudGVyMg==' } }],
  ['stringData', { ...secret, stringData: { password: 'hunter2' } }],
  ['a member that the API does not know', { ...secret, other: 'hunter2' }],
  ['a list', { kind: 'SecretList', items: [{ data: { password: 'aHVudGVyMg==' } }] }],
  ['a patch in JSON', [{ op: 'add', path: '/data/password', value: 'aHVudGVyMg==' }]],
  ['an error', { kind: 'Status', message: 'invalid: hunter2' }],
  ['a text', 'data: {password: hunter2}'],
])('%s of a Secret is shown without its values', (_, value) => {
  expect(JSON.stringify(shownContent(value, true))).not.toMatch(/hunter2|aHVudGVyMg/);
});

test('values of Secrets are their lengths, and their names remain', () => {
  expect(shownContent({ ...secret, data: { password: 'aHVudGVyMg==' } }, false)).toEqual({
    ...secret,
    metadata: { name: 'db', annotations: { note: '(7 characters)' } },
    data: { password: '(12 characters)' },
  });
});

test('values that the recorder has hidden have no length', () => {
  const hidden = { ...secret, data: { password: 'KHJlZGFjdGVkKQ==' } };
  expect(shownContent(hidden, true)).toMatchObject({ data: { password: '(redacted)' } });
});

test('tokens, and the annotation of kubectl apply, are hidden in all objects', () => {
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': 'hunter2', other: 'shown' };
  expect(
    shownContent({ kind: 'TokenRequest', metadata: { annotations }, status: { token: 'hunter2' } }, false),
  ).toEqual({
    kind: 'TokenRequest',
    metadata: {
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '(7 characters)', other: 'shown' },
    },
    status: { token: '(7 characters)' },
  });
});

test.each<readonly [string, unknown]>([
  ['of an object', { kind: 'Pod', metadata: { annotations: lastApplied } }],
  ['of a list', { kind: 'PodList', items: [{ metadata: { annotations: lastApplied } }] }],
  ['of a patch for an annotation', [{ op: 'add', path: '/metadata/annotations/a', value: 'hunter2' }]],
  ['of a patch for annotations', [{ op: 'add', path: '/metadata/annotations', value: lastApplied }]],
  ['of a patch for metadata', [{ op: 'add', path: '/metadata', value: { annotations: lastApplied } }]],
  ['of a patch for the object', [{ op: 'add', path: '', value: { metadata: { annotations: lastApplied } } }]],
  ['of a text', JSON.stringify(lastApplied)],
])('the annotation of kubectl apply %s is hidden', (_, value) => {
  expect(JSON.stringify(shownContent(value, false))).not.toContain('hunter2');
});

test('other objects are unchanged', () => {
  const map = { kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'b' } };
  expect(shownContent(map, false)).toEqual(map);
});
