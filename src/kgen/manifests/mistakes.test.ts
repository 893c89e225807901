import { expect, test } from 'vitest';
import { moduleOf, readModules } from './declared.fixture.ts';

/** Members of a spec with a mistake each. */
const members: readonly string[] = [
  '/** @minimun 3 */ replicas: Int32;',
  '/** @validation self > 0 */ replicas: Int32;',
  '/** @listType map */ ports: { name: string }[];',
  '/** @kubebuilder:validation:Minimum=3 */ replicas: Int32;',
  '/** @minimum 3 */ name: string;',
  '/** @minLength 3 */ replicas: Int32;',
  '/** @maxItems 3 */ labels: Record<string, string>;',
  '/** @pattern ^a$ */ flag: boolean;',
  '/** @listMap name */ labels: Record<string, string>;',
  '/** @minimum three */ replicas: Int32;',
  '/** @maxLength -1 */ name: string;',
  '/** @default cluster */ mode: string;',
  '/** @default "large" */ replicas: Int32;',
  "/** @default \"other\" */ mode: 'a' | 'b';",
  '/** @minimum 3 @minimum 4 */ replicas: Int32;',
  '/** @immutable always */ name: string;',
  '/** @validate */ name: string;',
  '/** @validate self.size() > */ name: string;',
  "/** @validate self.foo == 'a' */ name: string;",
  '/** @validate {"rule":"true","mesage":"x"} */ name: string;',
  '/** @validate self.all(a, self.all(b, self.all(c, a != b || b != c))) -- distinct */ names: string[];',
  '/** @validate self.all(a, self.all(b, a == b)) */ ports: Int32[];',
  '/** @maxItems 20000 @validate self.all(a, self.all(b, a == b)) */ ports: Int32[];',
  '/** @maxItems 2000 @validate self.all(a, self.all(b, a == b)) */ ports: Int32[];',
  '/** @maxItems 90000 @validate self.all(a, self.all(b, a == b)) */ names: string[];',
  "backup: { kind: 'a'; list: unknown[] } | { kind: 'b'; path: string };",
  '/** @immutable */ list?: unknown[];',
  '/** @exactlyOneOf a b */ choice: { a?: unknown[]; b?: string };',
  '/** @validate self.all(k, self.all(l, self[k] == self[l])) */ labels: Record<string, string>;',
  "ports: Array<{ /** @validate self.matches('^a*b*c*d*$') */ name: string }>;",
  '/** @pattern ^(a */ name: string;',
  '/** @pattern ^(?!a) */ name: string;',
  '/** @listMap nam */ ports: { name: string }[];',
  '/** @listSet */ ports: { name: string }[];',
  '/** @listMap name */ ports: { name?: string }[];',
  '/** @constraint 5 */ name: string;',
  '/** @schema {"type":"null"} */ name: string;',
  'replicas: number;',
  'value: any;',
  'pair: [string, Int32];',
  'call: () => void;',
  'mixed: string | boolean;',
  'next: Node;',
  'map: Map<string, string>;',
  'when: symbol;',
  'keyed: Record<number, string>;',
  'both: { name: string; [key: string]: string };',
  'choice: { a?: string } | { b?: string };',
  "choice: { kind: 'a'; value: string } | { kind: 'b'; value: Int32 };",
  "level: 1 | 'two';",
  'lists: string[] | Int32[];',
  "choice: { kind: 'a'; value: unknown } | { kind: 'b' };",
  "choice: Ruled | { kind: 'b' };",
  'missing: Unknown;',
  'broken: string number;',
  '/** Ask me @team about this. */ name: string;',
];

/** Values of `api` with a mistake each. */
const declarations: readonly string[] = [
  "{ group: 'example.com', kind: 'Thing', versions: {} }",
  "{ group: 'example.com', kind: 'Thing', versions: { v1: version<Thing>()({}), v2: version<Thing>()({}) } }",
  "{ group: 'example.com', kind: 'Thing', versions: { v1: version<Thing>()({ storage: true }), v2: version<Thing>()({ storage: true }) } }",
  "{ group: 'example.com', kind: 'Thing', versions: { v1: version<Thing>()({ columns: [{ name: 'A', path: 'spec.nam' }] }) } }",
  "{ group: 'example.com', kind: 'Thing', versions: { v1: version<Thing>()({ scale: { replicas: 'spec.name', statusReplicas: 'spec.replicas' } }) } }",
  "{ group: 'example.com', kind: 'Thing', shortNames: ['T_'], versions: { v1: version<Thing>()({}) } }",
  "{ group: 'example.com', kind: 'Thing', versions: { 'Version 1': version<Thing>()({}) } }",
  "{ group: process.env.GROUP ?? 'example.com', kind: 'Thing', versions: { v1: version<Thing>()({}) } }",
  "{ group: 'example.com', kind: 'Thing', versions: { v1: version()({}) } }",
  "{ group: 'example', kind: 'Thing', versions: { v1: version<Thing>()({}) } }",
  "{ group: 'things.k8s.io', kind: 'Thing', versions: { v1: version<Thing>()({}) } }",
  "{ group: 'example.com', kind: 'Thing', scope: 'Namespace' as never, versions: { v1: version<Thing>()({}) } }",
  "{ group: 'example.com', kind: 'Thing', listKind: 'Thing', versions: { v1: version<Thing>()({}) } }",
  "{ group: 'example.com', kind: 'Thing', categories: ['All'], versions: { v1: version<Thing>()({}) } }",
  `{ group: 'example.com', kind: 'Thing', plural: '${'t'.repeat(64)}', versions: { v1: version<Thing>()({}) } }`,
  "{ group: 'example.com', kind: 'Thing', versions: { v1: version<Thing>()({ deprecated: 'old\\nuse v2' }) } }",
  `{ group: 'example.com', kind: 'Thing', versions: { v1: version<Thing>()({ deprecated: '${'long '.repeat(60)}' }) } }`,
  "{ group: 'example.com', kind: 'Thing', versions: { v1: version<Thing>()({ columns: [{ name: 'A', path: 'spec.name', type: 'list' as never }] }) } }",
  "{ group: 'example.com', kind: 'Thing', versions: { v1: version<Thing>()({ columns: [{ name: '', path: 'spec.name', format: 'uuid' as never }] }) } }",
  "{ group: 'example.com', kind: 'Thing', versions: { v1: version<Thing>()({ scale: { replicas: 'status.count' as never, statusReplicas: 'spec.replicas' } }) } }",
  "{ group: 'example.com', kind: 'Thing', versions: { v1: version<Thing>()({ selectable: ['spec.name', 'spec.list' as never] }) } }",
  "{ group: 'example.com', kind: 'Thing', versions: { v1: version<Thing>()({ selectable: ['spec.a', 'spec.b', 'spec.c', 'spec.d', 'spec.e', 'spec.f', 'spec.name', 'spec.replicas', 'status.count'] }) } }",
  "{ group: 'example.com', kind: 'Thing', versions: { v1: version<Thing>()({ selectable: ['spec.name', 'spec.name', 'metadata.name' as never] }) } }",
  "{ group: 'example.com', kind: 'Thing', versions: { v1: version<Thing>()({ storage: true, selectable: ['spec.name'] }), v2: version<Thing>()({ selectable: ['spec.replicas'] }) } }",
  "{ group: 'example.com', kind: 'Thing', versions: { v1: version<Thing>()({}) }, conversion: { service: { name: 'a', namespace: '', path: 'convert' }, reviewVersions: ['v2' as never] } }",
];

function declarationModule(declaration: string): string {
  return `export interface Thing extends CustomResource<Spec, { count?: Int32 }> {} interface Spec { name: string; replicas?: Int32; list?: string[]; a?: string; b?: string; c?: string; d?: string; e?: string; f?: string }
interface Recursive { next?: Recursive }
export default api(${declaration});
`;
}

test('mistakes have an error with their place and an action', async () => {
  const types = "interface Node { child?: Node } /** @validate true */ interface Ruled { kind: 'a' }";
  const all = [...members.map((text) => moduleOf(text, types)), ...declarations.map(declarationModule)];
  const shown = [...members, ...declarations];
  const read = await readModules(new Map(all.map((text, index) => [String(index), text])));
  const report = shown.map((text, index) => {
    const problems = read.get(String(index))?.problems ?? [];
    return `${text}\n${problems.map((problem) => `    ${problem.replaceAll(`m${index}.example.com`, 'example.com')}\n`).join('')}`;
  });
  expect(report.filter((text) => !/error: /.test(text))).toEqual([]);
  await expect(report.join('\n')).toMatchFileSnapshot('mistakes.golden.txt');
}, 120_000);
