/** Types that state which members exclude each other, with the option `exactlyOne`. */
import type { Guarantee } from './helpers.ts';

const text = { type: 'string' };
const place = { type: 'object', required: ['url'], properties: { url: text } };
const has = (name: string): object => ({ required: [name] });

const source = {
  type: 'object',
  properties: { file: text, http: place, s3: place, note: text },
  oneOf: [has('file'), has('http'), has('s3')],
};

/** Schema of the kind `Backup`. */
export const backup: object = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        source,
        atMost: { type: 'object', maxProperties: 1, properties: { a: text, b: text } },
        both: {
          type: 'object',
          properties: { a: text, b: text, c: text, d: text },
          'x-kubernetes-validations': [
            { rule: 'has(self.a) != has(self.b)' },
            { rule: '!(has(self.c) && has(self.d))' },
          ],
        },
        overlapping: {
          type: 'object',
          properties: { a: text, b: text, c: text },
          not: { anyOf: [{ required: ['a', 'b'] }, { required: ['b', 'c'] }] },
        },
        only: { type: 'object', minProperties: 1, maxProperties: 1, properties: { a: text } },
        open: {
          type: 'object',
          properties: { a: text, b: text },
          'x-kubernetes-preserve-unknown-fields': true,
          oneOf: [has('a'), has('b')],
        },
        filled: {
          type: 'object',
          properties: { a: { ...text, default: 'x' }, b: text },
          oneOf: [has('a'), has('b')],
        },
        nullable: {
          type: 'object',
          properties: { a: { ...text, nullable: true }, b: text },
          oneOf: [has('a'), has('b')],
        },
        list: { type: 'array', items: source },
        keyed: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: text, file: text, http: place },
            oneOf: [has('file'), has('http')],
          },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        },
        map: { type: 'object', additionalProperties: source },
        required: { type: 'object', required: ['a'], properties: { a: text, b: text }, maxProperties: 1 },
      },
    },
    status: { type: 'object', properties: { source } },
  },
};

/** Declarations for the statements. */
export const prelude: string = `
import { InformerFactory } from './generated/index.js';
import type { Intent, MergePatch, Stored } from '@kgen/runtime';
import type { Backup, BackupClient, BackupSpec, BackupSpecBoth, BackupSpecSource } from './generated/tables.example.com/v1/index.js';
declare const backups: BackupClient;
declare const informers: InformerFactory;
declare const stored: Stored<Backup>;
declare const source: BackupSpecSource;
type Frozen<T> = { readonly [K in keyof T]: Frozen<T[K]> };
declare const frozen: Frozen<Stored<Backup>>;
`.trim();

/** Accepts and rejects values of a property of the spec. */
function values(
  guarantee: string,
  name: string,
  accepts: readonly string[],
  rejects: readonly string[],
): Guarantee {
  const statement = (value: string): string => `const spec: BackupSpec = { ${name}: ${value} };`;
  return { guarantee, accepts: accepts.map(statement), rejects: rejects.map(statement) };
}

const http = `http: { url: '' }`;

const literals: readonly Guarantee[] = [
  values(
    'oneOf of required accepts exactly one member beside others',
    'source',
    [`{ file: '' }`, `{ ${http} }`, `{ ${http}, note: '' }`, `{ ${http}, file: undefined }`],
    [
      '{}',
      `{ note: '' }`,
      `{ file: '', ${http} }`,
      '{ file: undefined }',
      '{ http: {} }',
      `{ file: '', other: 1 }`,
    ],
  ),
  values(
    'maxProperties alone accepts none or one',
    'atMost',
    ['{}', `{ a: '' }`, `{ b: '' }`],
    [`{ a: '', b: '' }`],
  ),
  values(
    'two rules about different members hold together',
    'both',
    [`{ a: '' }`, `{ b: '', c: '' }`, `{ a: '', d: '' }`],
    ['{}', `{ c: '' }`, `{ a: '', b: '' }`, `{ a: '', c: '', d: '' }`],
  ),
  values(
    'a member may exclude two that do not exclude each other',
    'overlapping',
    ['{}', `{ b: '' }`, `{ a: '', c: '' }`],
    [`{ a: '', b: '' }`, `{ b: '', c: '' }`],
  ),
  values('the only member is required', 'only', [`{ a: '' }`], ['{}']),
  values('an object with unknown fields stays as it is', 'open', ['{}', `{ a: '', b: '' }`], []),
  values('a member with a default may be left out', 'filled', ['{}', `{ a: '' }`], ['{ a: 1 }']),
  values(
    'null is a value of a nullable member',
    'nullable',
    ['{ a: null }', `{ b: '' }`],
    ['{}', `{ a: null, b: '' }`],
  ),
  values(
    'items of lists',
    'list',
    ['[]', `[{ file: '' }, { ${http} }]`],
    ['[{}]', `[{ file: '', ${http} }]`],
  ),
  values(
    'items of keyed lists',
    'keyed',
    [`[{ name: 'a', file: '' }]`],
    [`[{ name: 'a' }]`, `[{ file: '' }]`, `[{ name: 'a', file: '', ${http} }]`],
  ),
  values('values of maps', 'map', [`{ a: { file: '' } }`], ['{ a: {} }']),
  values('a required member leaves no other', 'required', [`{ a: '' }`], ['{}', `{ a: '', b: 1 }`]),
];

const uses: readonly Guarantee[] = [
  {
    guarantee: 'a member that was found narrows the others',
    accepts: [
      'if (source.http !== undefined) { const url: string = source.http.url; const none: undefined = source.file; }',
      `if ('http' in source && source.http) { const url: string = source.http.url; }`,
      'const url: string | undefined = source.http?.url ?? source.s3?.url ?? source.file;',
      'const note: string | undefined = stored.spec?.source?.note;',
      'if (source.file === undefined && source.http === undefined) { const url: string = source.s3.url; }',
      'for (const item of stored.spec?.list ?? []) console.log(item.file, item.http?.url);',
    ],
    rejects: ['source.http.url;', 'const file: string = source.file;'],
  },
  {
    guarantee: 'objects that were read are written',
    accepts: [
      'await backups.update(stored);',
      'await backups.create({ metadata: { name: "b" }, spec: stored.spec });',
      'await backups.updateStatus({ ...stored, status: stored.status });',
      'await backups.update({ ...stored, spec: { ...stored.spec, source: { file: "" } } });',
      'await backups.update({ ...stored, spec: { ...stored.spec, list: [...(stored.spec?.list ?? []), { file: "" }] } });',
      'const copy: Backup = structuredClone(stored);',
      'const part: Partial<BackupSpecSource> = {};',
      'const own: Pick<BackupSpecSource, "http"> = { http: undefined };',
      'const shown: string = frozen.spec?.source?.http?.url ?? "";',
    ],
    rejects: ['await backups.update({ ...stored, spec: { source: {} } });'],
  },
  {
    guarantee: 'members are assigned one after another',
    accepts: [
      'const spec: BackupSpec = {}; spec.source = { file: "" }; spec.source = { http: { url: "" } };',
      'source.note = ""; if (source.http !== undefined) source.http.url = "";',
      'source.file = undefined; source.http = { url: "" };',
    ],
    rejects: ['source.http = { url: 1 };'],
  },
  {
    guarantee: 'an intent has at most one of the members, or none',
    accepts: [
      'const intent: Intent<Backup> = { metadata: { name: "a" }, spec: { source: {} } };',
      'const intent: Intent<Backup> = { metadata: { name: "a" }, spec: { source: { file: "" } } };',
      'const intent: Intent<Backup> = { metadata: { name: "a" }, spec: { source: { http: {} } } };',
      'const intent: Intent<Backup> = { metadata: { name: "a" }, spec: { keyed: [{ name: "a", file: "" }, { name: "b" }] } };',
      'const intent: Intent<Backup> = { metadata: { name: "a" }, spec: { both: { c: "" }, only: {} } };',
    ],
    rejects: [
      'const intent: Intent<Backup> = { metadata: { name: "a" }, spec: { source: { file: "", http: {} } } };',
      'const intent: Intent<Backup> = { metadata: { name: "a" }, spec: { keyed: [{ file: "" }] } };',
    ],
  },
  {
    guarantee: 'a merge patch replaces one member by another',
    accepts: [
      'await backups.patch("a", { spec: { source: { file: null, http: { url: "" } } } });',
      'await backups.patch("a", { spec: { source: { note: "" }, only: {} } });',
      'const patch: MergePatch<Backup> = { spec: { source: null } };',
    ],
    rejects: ['await backups.patch("a", { spec: { source: { file: "", http: { url: "" } } } });'],
  },
  {
    guarantee: 'selections name every member',
    accepts: [
      'await backups.list({ select: { spec: { source: { http: { url: true }, file: true } } } });',
      'const url = (await backups.list({ select: { spec: { source: { http: { url: true } } } } })).items[0]?.spec?.source?.http?.url; const known: string | undefined = url;',
      'informers.tablesV1.backups({ select: { spec: { list: { s3: true, note: true } } } });',
    ],
    rejects: ['await backups.list({ select: { spec: { source: { nope: true } } } });'],
  },
];

export const exclusive: readonly Guarantee[] = [...literals, ...uses];
