/** Quick info on handlers of webhooks: types by operation and subresource, under short names. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emitted } from '../support/emitted.ts';
import { createProject, type Project } from '../support/project.ts';
import { type Editor, openEditor } from './editor.ts';

const file = 'hover.ts';
const prelude = `
import { converts, defaults, validates, webhooks } from '@kgen/controller/webhooks';
import { redisClusters } from './generated/cache.example.com/v1/index.js';
import { redisClusters as oldClusters } from './generated/cache.example.com/v1alpha1/index.js';
`;

/** A handler with `^` before a parameter, or before a member of the second one. */
const one = '(^object) => undefined';
const two = '(object, ^context) => undefined';
const three = '(object, { ^old }) => undefined';
const validation = (handle: string, options = ''): string =>
  `validates(redisClusters, { ${options}handle: ${handle} });`;
const of = (operation: string): string => `operations: ['${operation}'], `;
const descriptor = 'NamespacedResource<RedisCluster, RedisClusterList, RedisClusterClient, "spec.version">';

const rows: readonly (readonly [at: string, shows: string, docs?: string])[] = [
  [
    `^defaults(redisClusters, { handle: () => undefined });`,
    `(alias) defaults<${descriptor}, Usual, "">(resource: ${descriptor}, options: DefaultsOptions<RedisCluster, Usual, "">): AdmissionWebhook\nimport defaults`,
    'Declares a webhook that changes objects before they are stored',
  ],
  [
    `defaults(redisClusters, { handle: ${one} });`,
    '(parameter) object: WithMetadata<RedisCluster, "namespace"> | WithMetadata<RedisCluster, "namespace" | "name">',
  ],
  [
    `defaults(redisClusters, { handle: ${two} });`,
    '(parameter) context: ContextWithoutOld<"CREATE"> | ContextWithOld<RedisCluster, "UPDATE">',
  ],
  [
    'defaults(redisClusters, { handle: () => ({ spec: { version: "", ^replicas: 1 } }) });',
    '(property) RedisClusterSpec.replicas?: number | undefined',
    'Number of servers.',
  ],
  [
    'defaults(redisClusters, { ^handle: () => undefined });',
    '(property) DefaultsOptions<RedisCluster, Usual, "">.handle: (object: WithMetadata<RedisCluster, "namespace"> | WithMetadata<RedisCluster, "namespace" | "name">, context: ContextWithoutOld<"CREATE"> | ContextWithOld<RedisCluster, "UPDATE">) => DefaultsResult<RedisCluster> | Promise<DefaultsResult<RedisCluster>>',
    'Returns the object, or its members that change.',
  ],
  [
    validation('() => undefined').replace('handle', '^handle'),
    '(property) ValidatesOptions<RedisCluster, Usual, "">.handle: (object: Stored<RedisCluster> | WithMetadata<RedisCluster, "namespace" | "name" | "creationTimestamp" | "uid">, context: ContextWithoutOld<"CREATE"> | ContextWithOld<RedisCluster, "UPDATE">) => ValidatesResult | Promise<ValidatesResult>',
    'Returns the errors of the object',
  ],
  [
    validation(one, of('CREATE')),
    '(parameter) object: WithMetadata<RedisCluster, "namespace" | "name" | "creationTimestamp" | "uid">',
  ],
  [validation(two, of('CREATE')), '(parameter) context: ContextWithoutOld<"CREATE">'],
  [validation(three, of('CREATE')), '(parameter) old: undefined'],
  [validation(one, of('UPDATE')), '(parameter) object: Stored<RedisCluster>'],
  [validation(three, of('UPDATE')), '(parameter) old: Stored<RedisCluster>', 'Object as it is stored.'],
  [validation(one, of('DELETE')), '(parameter) object: Stored<RedisCluster>'],
  [validation(two, of('DELETE')), '(parameter) context: ContextWithOld<RedisCluster, "DELETE">'],
  [validation(three, of('DELETE')), '(parameter) old: Stored<RedisCluster>'],
  [validation(three), '(parameter) old: Stored<RedisCluster> | undefined'],
  [validation('(_, { ^operation }) => undefined'), '(parameter) operation: "CREATE" | "UPDATE"'],
  [validation('(_, { ^user }) => undefined'), '(parameter) user: AdmissionUser'],
  [
    validation('(_, { ^audit }) => undefined'),
    '(parameter) audit: (key: string, value: string) => void',
    'Adds an annotation to the audit event',
  ],
  [validation(one, `${of('UPDATE')}subresource: 'scale', `), '(parameter) object: Stored<Scale>'],
  [
    validation(three, `${of('UPDATE')}subresource: 'status', `),
    '(parameter) old: Stored<RedisCluster>',
    'Object as it is stored.',
  ],
  [validation(one, `${of('CONNECT')}subresource: 'exec', `), '(parameter) object: ExecBody & Reviewed'],
  [
    validation(one, `${of('CREATE')}subresource: 'eviction', `),
    '(parameter) object: EvictionBody & Reviewed',
  ],
  [
    'converts(redisClusters, { versions: { v1alpha1: { resource: oldClusters, ^toHub: () => ({}), fromHub: () => ({}) } } });',
    '(property) VersionConversion<RedisCluster, RedisCluster>.toHub: (object: RedisCluster) => PartialObject<RedisCluster>',
  ],
  [
    'converts(redisClusters, { versions: { v1alpha1: { resource: oldClusters, toHub: (object) => ({ spec: { version: object.spec.^version } }), fromHub: () => ({}) } } });',
    '(property) RedisClusterSpec.version?: string | undefined',
  ],
  ['const ^served = webhooks({ handlers: [] });', 'const served: Webhooks'],
  [
    'webhooks({ ^handlers: [] });',
    '(property) WebhooksOptions.handlers: readonly Webhook[]',
    'results of `defaults`, `validates` and `converts`',
  ],
];

let project: Project | undefined;
let editor: Editor | undefined;

beforeAll(async () => {
  project = createProject({ links: ['node', 'controller'] });
  project.write((await emitted(['crds/*.yaml'])).files, 'generated');
  project.write({ [file]: prelude + rows.map(([at]) => `${at.replace('^', '')}\n`).join('') });
  editor = openEditor(project.folder, file);
});

afterAll(() => project?.dispose());

test.each(rows.map(([at, shows, docs = ''], index) => [at, shows, docs, index] as const))(
  '%s',
  (at, shows, docs, index) => {
    const before = rows.slice(0, index).reduce((sum, [other]) => sum + other.length, prelude.length);
    const hover = editor?.hover(before + at.indexOf('^'));
    expect(hover?.display).toBe(shows);
    expect(hover?.docs).toContain(docs);
  },
);

test('types are named, and limited in length', () => {
  const isWall = (shows: string): boolean => shows.length > 400 || /\{\s/.test(shows);
  expect(rows.filter(([, shows]) => isWall(shows)).map(([at]) => at)).toEqual([]);
});
