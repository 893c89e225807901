/** Valid definitions that attempt to inject code into the output. */
import { crd } from '../../support/crd.ts';

/** Definitions that are generated together, and the reason. */
export interface HostileRow {
  readonly attempt: string;
  readonly crds: readonly object[];
}

/** Code that runs after a successful injection. */
const attack = 'globalThis.attacked = true; process.exit(66);';
const dollar = '$';

/** Strings that end the construct around them. */
const texts: Readonly<Record<string, string>> = {
  'the end of a comment': `*/ ${attack} /*`,
  'the end of a comment in pieces': `*\u0000/ *\u200b/ *\u202e/ *\ufeff/ ${attack} /*`,
  'the end of a comment after a backslash': `*\\/ \\*/ **/ ${attack} /**`,
  'a comment inside': `/* ${attack} */ // ${attack}`,
  'the end of a text in single quotes': `'; ${attack} //`,
  'the end of a text in double quotes': `"; ${attack} //`,
  'an escaped quote': `\\'; ${attack} //`,
  'two backslashes and a quote': `\\\\'; ${attack} //`,
  'a template': `\`; ${attack} \``,
  'a substitution': `${dollar}{(() => { ${attack} })()}`,
  'the end of a declaration': `}; } ] ); ${attack} ({ [ (`,
  'a line': `a\n${attack}\n`,
  'a line of old times': `a\r${attack}\r`,
  'a line of other scripts': `a\u2028${attack}\u2029${attack}\u0085${attack}`,
  'a comment of old times': `<!-- ${attack}\n--> ${attack}`,
  'a directive': `/ <reference path="/etc/passwd" />\n@ts-nocheck\n// @ts-nocheck\n#!${attack}`,
  'tags of documentation': `@deprecated\n@type {any}\n@internal\n{@link ${attack}}\n * @public`,
  'half a letter': `\ud800 ${attack} \udfff`,
  'control characters': `\u0000\u0007\u001b[2J\u007f${attack}`,
  'a very long line': `${'x'.repeat(5_000)} */ ${'y '.repeat(5_000)}`,
  'the name of a prototype': '__proto__',
  'the name of a constructor': 'constructor',
  nothing: '',
  'white space': ' \t ',
};

/** Returns a definition with the string at every place that accepts any string. */
function everywhere(text: string): object {
  const scalar = {
    type: 'string',
    description: text,
    pattern: text,
    format: text,
    default: text,
    enum: [text, 'other'],
  };
  return crd({
    kind: 'Hostile',
    versions: [
      {
        deprecated: true,
        deprecationWarning: text.slice(0, 200),
        additionalPrinterColumns: [{ name: text, type: 'string', jsonPath: '.spec.a', description: text }],
        schema: {
          type: 'object',
          description: text,
          'x-kubernetes-validations': [{ rule: text, message: text }],
          properties: {
            spec: {
              type: 'object',
              required: [text],
              properties: {
                [text]: scalar,
                [`${text}2`]: {
                  type: 'object',
                  description: text,
                  required: [text],
                  properties: { [text]: scalar },
                },
                [`${text}3`]: {
                  type: 'array',
                  'x-kubernetes-list-type': 'map',
                  'x-kubernetes-list-map-keys': [text],
                  items: { type: 'object', required: [text], properties: { [text]: scalar } },
                },
                literals: { enum: [text, `${text}2`] },
                map: { type: 'object', default: { [text]: text }, additionalProperties: scalar },
                either: {
                  anyOf: [{ type: 'string', enum: [text] }, { type: 'boolean' }],
                  not: { enum: [text] },
                },
              },
            },
          },
        },
      },
    ],
  });
}

const spec = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
};
const versions = [{ schema: spec, subresources: { status: {} } }];

/** Kinds with names that generated code, its runtime or the language use already. */
const kinds: readonly string[] = [
  'Array Boolean Date Error Event Function Image Iterator Map Node Number Object Partial Pick Promise Proxy Readonly',
  'Record Reflect Required Set String Symbol AbortSignal AsyncIterable Omit Uint8Array Awaited NonNullable Exclude',
  'ObjectMeta ListMeta ClusterMeta ListMap Stored Status Scale Condition EmbeddedObject Informer Lister Clientset',
  'ClientsetBase InformerFactory InformerOptions InformerFactoryBase InformerSource WatchEvent AddedEvent Connection',
  'CustomCrud CustomWriteStatus WriteScale AllNamespaces NamespacedResource ClusterResource NamespacedLister Resource',
  'NamespacedWatchHelper RESTClient RESTClientOptions RuntimeStored RuntimeObjectMeta KindsV1Client KindsV1Informers',
  'Keycloak KeycloakClient KeycloakLister KeycloakInformer KeycloakWatchEvent WatchKeycloaks AllowList AllowListItem',
  'Any Unknown Never Undefined Null Type Interface Default Class Import Export Await Async Static Get Of Let Var',
].flatMap((line) => line.split(' '));

const plurals: readonly string[] = [
  'arguments await break case catch class const constructor default delete enum eval export extends finally',
  'function get hasownproperty implements import in instanceof interface let new null of on package private',
  'prototype public rest return set start static stop super switch then this throw tostring true typeof',
  'undefined valueof var void while with yield close list watch apply call bind name length',
].flatMap((line) => line.split(' '));

const groups: readonly string[] = [
  'index.ts',
  'index.js',
  'clientset.ts',
  'informers.d.ts',
  'package.json',
  'kgen.lock.json',
  'con.example.com',
  'nul.example.com',
  'com1.example.com',
  'my-team.example-corp.io',
  '9lives.example.com',
  '9-lives.example.com',
  'networking.one.io',
  'networking.two.io',
  'net-working.io',
  'constructor.prototype.io',
  'then.example.com',
  'default.example.com',
  'rest.close.io',
  'node-modules.io',
  'xn--bcher-kva.example.com',
];

/** Conflicting names of one group version. */
const neighbours: readonly object[] = [
  crd({
    group: 'clash.example.com',
    kind: 'Foo',
    names: { listKind: 'FooListing' },
    versions: [
      {
        schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: { a: { type: 'object', properties: { b: { type: 'string' } } } },
            },
            client: { type: 'object', properties: { c: { type: 'string' } } },
            list: { type: 'object', properties: { d: { type: 'string' } } },
            informer: { type: 'object', properties: { e: { type: 'string' } } },
            watchEvent: { type: 'object', properties: { f: { type: 'string' } } },
          },
        },
      },
    ],
  }),
  ...['FooSpec', 'FooSpecA', 'FooList', 'FooClient', 'ClashV1Client', 'ClashV1', 'WatchFoos'].map((kind) =>
    crd({ group: 'clash.example.com', kind, versions }),
  ),
];

export const hostile: readonly HostileRow[] = [
  ...Object.entries(texts).map(([what, text]) => ({
    attempt: `text with ${what}`,
    crds: [everywhere(text)],
  })),
  {
    attempt: 'kinds that are called like something else',
    crds: kinds.map((kind) => crd({ group: 'kinds.example.com', kind, versions })),
  },
  {
    attempt: 'cluster-scoped kinds that are called like something else',
    crds: kinds.map((kind) => crd({ group: 'kinds.example.com', kind, versions, scope: 'Cluster' })),
  },
  {
    attempt: 'plurals that mean something to JavaScript',
    crds: plurals.map((plural, index) =>
      crd({
        group: 'plurals.example.com',
        kind: `Kind${index}`,
        names: { plural, singular: `kind${index}` },
        versions,
      }),
    ),
  },
  {
    attempt: 'groups that are called like files, devices or each other',
    crds: groups.map((group) => crd({ group, kind: 'Thing', versions })),
  },
  {
    attempt: 'versions named like files or keywords',
    crds: ['index', 'types', 'con', 'default', 'constructor', 'package', 'v1-beta'].map((name, index) =>
      crd({ group: 'versions.example.com', kind: `Kind${index}`, versions: [{ name, schema: spec }] }),
    ),
  },
  { attempt: 'kinds that conflict with names of other kinds', crds: neighbours },
];

/** Definitions that every server rejects, because a name is invalid. The generator must reject them, too. */
export const refused: Readonly<Record<string, object>> = {
  'a kind with a quote': crd({
    kind: "Foo'; globalThis.attacked = true; //",
    names: { plural: 'foos', singular: 'foo' },
  }),
  'a group that leaves the folder': crd({ kind: 'Foo', group: '../../evil' }),
  'a version that leaves the folder': crd({ kind: 'Foo', versions: [{ name: '../evil' }] }),
  'a plural with a slash': crd({ kind: 'Foo', names: { plural: 'foos/../..', singular: 'foo' } }),
  'a short name with a quote': crd({ kind: 'Foo', names: { shortNames: ["'; process.exit(66); //"] } }),
  'a category with a line': crd({ kind: 'Foo', names: { categories: ['a\nprocess.exit(66)'] } }),
  'a list kind with a brace': crd({
    kind: 'Foo',
    names: { listKind: 'Foo {} process.exit(66); interface X' },
  }),
};
