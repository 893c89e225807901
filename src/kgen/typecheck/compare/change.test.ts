import { expect, test } from 'vitest';
import { formatChanges, sortChanges, type TypeChange } from './change.ts';

const module = 'apps/v1';
const name = 'Spec';
const breaking = true;

test.each<readonly [TypeChange, string]>([
  [
    { module, name, change: 'added', after: 'interface', breaking: false },
    'compatible: apps/v1 Spec: added, interface',
  ],
  [
    { module, name, member: 'a', change: 'added', after: 'Owner', breaking },
    'breaking: apps/v1 Spec.a: added, required, Owner',
  ],
  [
    { module, name: '*', change: 'removed', before: '11 exports', breaking },
    'breaking: apps/v1: removed, was 11 exports',
  ],
  [
    {
      module,
      name: 'pods',
      member: 'subresources',
      change: 'value',
      before: 'old, old/get, status, status/get, status/patch',
      after: 'scale, scale/get, status, status/get, status/update',
      breaking,
    },
    'breaking: apps/v1 pods: subresource scale added; subresource status: update added; subresource old removed; subresource status: patch removed',
  ],
  [
    { module, name: 'pods', member: 'subresources', change: 'value', after: 'proxy', breaking: false },
    'compatible: apps/v1 pods: subresource proxy added',
  ],
  [
    { module, name, member: 'a', change: 'removed', before: 'string', breaking },
    'breaking: apps/v1 Spec.a: removed, was string',
  ],
  [{ module, name, member: 'a', change: 'removed', breaking }, 'breaking: apps/v1 Spec.a: removed'],
  [
    { module, name, member: 'a[].b', change: 'required', breaking },
    'breaking: apps/v1 Spec.a[].b: was optional, is required',
  ],
  [
    { module, name, member: 'x-y', change: 'optional', breaking },
    'breaking: apps/v1 Spec["x-y"]: was required, is optional',
  ],
  [
    { module, name, member: 'a', change: 'type', before: '1', after: '2', breaking },
    'breaking: apps/v1 Spec.a: was 1, is 2',
  ],
  [
    { module, name: 'pods', member: 'verbs', change: 'value', before: 'get, list', after: 'get', breaking },
    'breaking: apps/v1 pods: verbs was get, list, is get',
  ],
  [
    { module, name: 'pods', member: 'shortNames', change: 'value', after: 'po', breaking: false },
    'compatible: apps/v1 pods: shortNames was unset, is po',
  ],
  [
    { module, name, change: 'deprecated', after: '@deprecated', breaking: false },
    'compatible: apps/v1 Spec: now deprecated',
  ],
  [
    { module, name, change: 'deprecated', before: '@deprecated', breaking: false },
    'compatible: apps/v1 Spec: no longer deprecated',
  ],
  [
    { module, name: 'A\u001b[2J\u202e', change: 'removed', breaking },
    'breaking: apps/v1 A\\u001b[2J\\u202e: removed',
  ],
  [
    { module, name, change: 'removed', before: 'x'.repeat(101), breaking },
    `breaking: apps/v1 Spec: removed, was ${'x'.repeat(99)}…`,
  ],
])('%o', (change, want) => {
  expect(formatChanges([change])).toEqual([want]);
});

test('sorts breaking changes first', () => {
  const change = (name: string, breaking: boolean): TypeChange => ({
    module,
    name,
    change: 'removed',
    breaking,
  });
  const sorted = sortChanges([change('d', true), change('c', false), change('b', true), change('a', false)]);
  const lines = formatChanges(sorted).map((line) => line.replace(/^.* (.): removed$/, '$1'));
  expect(lines).toEqual(['b', 'd', 'a', 'c']);
});

test('reports a removed group version with its folder and accessor', () => {
  const gone = { change: 'removed', breaking } as const;
  const changes: readonly TypeChange[] = [
    { module: 'catalog', name: 'Catalog', member: 'apps/v1/Pod', ...gone },
    { module: 'clientset', name: 'Clientset', member: 'appsV1', ...gone },
    { module: 'index', name: 'appsV1', before: 'apps/v1', ...gone },
    { module: 'index', name: 'other', before: 'Other', ...gone },
    { module: 'informers', name: 'InformerFactory', member: 'appsV1', ...gone },
    { module: 'informers', name: 'InformerFactory', member: 'batchV1', ...gone },
    { module: 'apps/v1', name: '*', ...gone },
  ];
  expect(formatChanges(changes)).toEqual([
    'breaking: clientset Clientset.appsV1: removed',
    'breaking: index other: removed, was Other',
    'breaking: informers InformerFactory.batchV1: removed',
    'breaking: apps/v1: removed',
  ]);
});
