import { describe, expect, test } from 'vitest';
import { compare, type ReportedChange } from './comparing.fixture.ts';

const door = (names: string): string => `import type { ${names} } from '@kgen/runtime/gen/v1';\n`;

describe('clients and descriptors', () => {
  const all = door(
    'Crud, Get, List, Watch, WaitFor, Create, Update, Apply, Delete, Patch, DeleteCollection, WriteScale',
  );
  const client = (bases: string): string => `${all}export interface PodClient extends ${bases} {}`;
  const crud = `import { crud, defineResource } from '@kgen/runtime/gen/v1';\n`;
  const pods = (facts: string): string => `${crud}export const pods: R<Pod> = defineResource({ ${facts} });`;

  test.each<readonly [what: string, before: string, after: string, want: readonly ReportedChange[]]>([
    [
      'a capability less',
      client('Get<P>, List<P, L>'),
      client('Get<P>'),
      [['PodClient List', 'removed', 'breaking', undefined, undefined]],
    ],
    [
      'a capability more',
      client('Crud<P, L>'),
      client('Crud<P, L>, WriteScale'),
      [['PodClient WriteScale', 'added', 'compatible', undefined, undefined]],
    ],
    [
      'one of all verbs less',
      client('Crud<P, L>'),
      client('Get<P>, List<P, L>, Watch<P>, WaitFor<P>, Create<P>, Update<P>, Apply<P>, Delete<P>, Patch<P>'),
      [['PodClient DeleteCollection', 'removed', 'breaking', undefined, undefined]],
    ],
    [
      'more fields',
      client("Crud<P, L, 'a'>"),
      client("Crud<P, L, 'a' | 'b'>"),
      [['PodClient Crud', 'type', 'compatible', "Crud<P, L, 'a'>", "Crud<P, L, 'a' | 'b'>"]],
    ],
    [
      'fields at all',
      client('Crud<P, L>'),
      client("Crud<P, L, 'b'>"),
      [['PodClient Crud', 'type', 'compatible', 'Crud<P, L>', "Crud<P, L, 'b'>"]],
    ],
    [
      'no fields any more',
      client("Crud<P, L, 'b'>"),
      client('Crud<P, L>'),
      [['PodClient Crud', 'type', 'breaking', "Crud<P, L, 'b'>", 'Crud<P, L>']],
    ],
    [
      'fewer fields',
      client("Crud<P, L, 'a' | 'b'>"),
      client("Crud<P, L, 'a'>"),
      [['PodClient Crud', 'type', 'breaking', "Crud<P, L, 'a' | 'b'>", "Crud<P, L, 'a'>"]],
    ],
    [
      'other objects',
      client('Get<P>'),
      client('Get<Q>'),
      [['PodClient Get', 'type', 'breaking', 'Get<P>', 'Get<Q>']],
    ],
    [
      'one more accessor',
      'export interface V1Client { pods(namespace: string): P }',
      'export interface V1Client { pods(namespace: string): P; nodes(): N }',
      [['V1Client nodes', 'added', 'compatible', undefined, '() => N']],
    ],
    [
      'an overload less',
      'export interface V1Client { pods(namespace: string): P; pods(): A }',
      'export interface V1Client { pods(): A }',
      [['V1Client pods', 'type', 'breaking', '(namespace: string) => P; () => A', '() => A']],
    ],
    [
      'an informer with a field more',
      `${door('InformerOptions')}export interface I { pods(options?: InformerOptions<P, never>): A }`,
      `${door('InformerOptions')}export interface I { pods(options?: InformerOptions<P, 'x'>): A }`,
      [
        [
          'I pods',
          'type',
          'compatible',
          '(options?: InformerOptions<P, never>) => A',
          "(options?: InformerOptions<P, 'x'>) => A",
        ],
      ],
    ],
    [
      'verbs less',
      pods('verbs: crud'),
      pods("verbs: ['list', 'get']"),
      [
        [
          'pods verbs',
          'value',
          'breaking',
          'create, delete, deletecollection, get, list, patch, update, watch',
          'get, list',
        ],
      ],
    ],
    [
      'verbs more',
      pods("verbs: ['get']"),
      pods("verbs: ['list', 'get']"),
      [['pods verbs', 'value', 'compatible', 'get', 'get, list']],
    ],
    ['order of verbs', pods("verbs: ['get', 'list']"), pods("verbs: ['list', 'get']"), []],
    [
      'scope',
      pods("scope: 'Cluster'"),
      pods("scope: 'Namespaced'"),
      [['pods scope', 'value', 'breaking', "'Cluster'", "'Namespaced'"]],
    ],
    [
      'short names',
      pods("shortNames: ['po']"),
      pods(''),
      [['pods shortNames', 'value', 'compatible', 'po', undefined]],
    ],
    [
      'subresources more',
      pods(''),
      pods("subresources: { scale: ['get'] }"),
      [['pods subresources', 'value', 'compatible', undefined, 'scale, scale/get']],
    ],
    [
      'subresources less',
      pods("subresources: { scale: ['get', 'patch'] }"),
      pods("subresources: { scale: ['get'] }"),
      [['pods subresources', 'value', 'breaking', 'scale, scale/get, scale/patch', 'scale, scale/get']],
    ],
    [
      'types',
      'export const a: R<A> = f();',
      'export const a: R<B> = f();',
      [['a', 'type', 'breaking', 'R<A>', 'R<B>']],
    ],
    [
      'plain values',
      'export const a: string = "x";',
      "export const a: string = 'y';",
      [['a', 'value', 'breaking', "'x'", "'y'"]],
    ],
    [
      'fields of a class',
      'export class Clientset extends Base { readonly a: A; constructor(x: X) { super(x); } }',
      'export class Clientset extends Base { readonly a: A; readonly b: B; constructor(x: X) { super(x); } }',
      [['Clientset b', 'added', 'compatible', undefined, 'B']],
    ],
    [
      'options that users only write',
      `${door('ReadLog')}export interface C extends ReadLog<O> {}\nexport interface O { a: 'x'; b: 1 }`,
      `${door('ReadLog')}export interface C extends ReadLog<O> {}\nexport interface O { a: 'x' | 'y'; b?: 1; c: 1 }`,
      [
        ['O a', 'type', 'compatible', "'x'", "'x' | 'y'"],
        ['O b', 'optional', 'compatible', undefined, undefined],
        ['O c', 'added', 'breaking', undefined, '1'],
      ],
    ],
  ])('%s', async (_what, before, after, want) => {
    expect(await compare(before, after)).toEqual(want);
  });

  test.each([
    ['more of them', "'a'", "'a' | 'b'", 'compatible'],
    ['fewer of them', "'a' | 'b'", "'a'", 'breaking'],
  ])('compares selectable fields: %s', async (_, before, after, verdict) => {
    const fields = (words: string): string => `export type PodSelectableField = ${words};`;
    expect(await compare(fields(before), fields(after), 'core/v1/index.ts')).toEqual([
      ['PodSelectableField', 'type', verdict, before, after],
    ]);
  });

  test('reports a new kind of the catalog as compatible', async () => {
    const entry = (kind: string): string => `readonly 'v1/${kind}': () => Promise<typeof import('./x').a>;`;
    const catalog = (...kinds: readonly string[]): string =>
      `export interface Catalog { ${kinds.map(entry).join(' ')} }\nexport const catalog: Catalog = { ${kinds.map((kind) => `'v1/${kind}': () => import('./x')`).join()} };`;
    const [found, ...others] = await compare(catalog('A'), catalog('A', 'B'), 'catalog.ts');
    expect(found?.slice(0, 3)).toEqual(['Catalog v1/B', 'added', 'compatible']);
    expect(others).toEqual([]);
  });

  test('paths', async () => {
    const before = "export interface paths { '/api': { get: { parameters: { query?: { a?: 1 } } } } }";
    const after =
      "export interface paths { '/api': { get: { parameters: { query?: { a?: 1; b: 2 } }; responses: { 200: 1 } } }; '/new': { get: 1 } }";
    expect(await compare(before, after, 'paths.ts')).toEqual([
      ['paths /api.get.parameters.query.b', 'added', 'breaking', undefined, '2'],
      ['paths /api.get.responses', 'added', 'compatible', undefined, '{ 200: 1 }'],
      ['paths /new', 'added', 'compatible', undefined, '{ get: 1 }'],
    ]);
  });
});
