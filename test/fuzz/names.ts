/** Names and strings for random definitions: ordinary ones, and those that break careless generators. */
import type { Random } from '../support/random.ts';

/** Separate from braces, so that linters do not take a string for a template. */
const dollar = '$';

type Words = readonly [string, ...string[]];

const plainNames: Words = [
  'name',
  'replicas',
  'image',
  'items',
  'type',
  'spec',
  'template',
  'value',
  'config',
  'fooBar',
  'foo_bar',
  'foo-bar',
  'FooBar',
  'status',
  'metadata',
  'kind',
  'apiVersion',
];

const oddNames: Words = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '$ref',
  '$schema',
  'x-kubernetes-list-type',
  'default',
  'enum',
  'not',
  'properties',
  'required',
  'class',
  'function',
  'new',
  'a.b/c',
  '9lives',
  '-XX',
  '_private',
  'with space',
  "it's",
  '"quoted"',
  'back\\slash',
  'new\nline',
  '\u2028',
  '*/',
  `${dollar}{x}`,
  '`',
  '',
  ' ',
  'ünïcödé',
  'имя',
  '名前',
  '😀',
  '\u0000',
  'a'.repeat(300),
];

const pieces: Words = [
  'Some words about a field.',
  ' and */ the end of a comment',
  '/** glob **/*.yaml',
  '\n\n',
  '\r\n',
  '\r',
  '\u2028',
  '\u0085',
  '\u0000',
  '\u202e',
  `\`code\` ${dollar}{x}`,
  '@deprecated',
  '\n@internal tag',
  'Deprecated: use another',
  '\nDEPRECATED',
  '- item\n  - item\n',
  '    indented',
  '<b>html</b> &amp; {@link Foo}',
  'x'.repeat(200),
  '\\',
  "'",
  '"',
  '// @ts-nocheck',
  '{{ .Values.x }}',
  '\t',
  ': # ',
  '😀',
];

/** Returns a name of a property. */
export function propertyName(random: Random): string {
  return random.chance(0.8) ? random.pick(plainNames) : random.pick(oddNames);
}

/** Returns any string: for descriptions, patterns, defaults, literals. */
export function text(random: Random): string {
  if (random.chance(0.5)) return random.pick(plainNames);
  return random.some(pieces, 5).join('');
}

/** Kinds, including names of the language, of the runtime and of generated declarations. */
export const kinds: Words = [
  'Foo',
  'FooSpec',
  'FooList',
  'FooClient',
  'FooLister',
  'FooInformer',
  'FooWatchEvent',
  'Array',
  'Object',
  'Record',
  'Promise',
  'Date',
  'Event',
  'Image',
  'Node',
  'Proxy',
  'Partial',
  'Stored',
  'ObjectMeta',
  'ListMeta',
  'ListMap',
  'Informer',
  'Clientset',
  'CustomCrud',
  'Status',
  'Scale',
  'AllowList',
  'HTTPRoute',
  'postgresql',
  'Weird-Kind',
  'X',
  'KindsV1Client',
  'Symbol',
  'WatchHelper',
];

/** Groups with similar names, or with names like files of the output. */
export const groups: Words = [
  'my.domain',
  'my.other.domain',
  'my-team.example-corp.io',
  'myteam.example.com',
  'index.ts',
  'clientset.js',
  '9.example.com',
  'constructor.io',
  'apps',
  'networking.k8s.io',
  'networking.istio.io',
];

/** Versions, ordinary and unusual. */
export const versionNames: Words = ['v1', 'v1alpha1', 'v1beta1', 'v2', 'v11beta2', 'types', 'index', 'x-y'];
