/** Random requests to kinds that servers do not store: reviews of users and permissions, and bindings. */
import type { JsonObject } from '../../src/schema/values/json.ts';
import type { Random } from '../support/random.ts';
import { writeQuery } from './operations.ts';
import type { Step } from './step.ts';
import { asUser } from './users.ts';

interface Created {
  readonly path: string;
  readonly type: JsonObject;
  readonly bodies: readonly JsonObject[];
}

const authorization = 'authorization.k8s.io/v1';
const authentication = 'authentication.k8s.io/v1';
const ofPods = { verb: 'list', resource: 'pods', namespace: '{ns}' };

const attributes: readonly JsonObject[] = [
  { resourceAttributes: ofPods },
  { resourceAttributes: { ...ofPods, verb: '*', resource: '*', group: '*' } },
  { resourceAttributes: { ...ofPods, group: 'apps', resource: 'deployments', subresource: 'scale' } },
  { resourceAttributes: { ...ofPods, namespace: 'elsewhere' } },
  { resourceAttributes: { ...ofPods, name: 'a', version: 'v1' } },
  { resourceAttributes: { ...ofPods, fieldSelector: { rawSelector: 'spec.nodeName=a' } } },
  {
    resourceAttributes: {
      ...ofPods,
      labelSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
    },
  },
  { resourceAttributes: { ...ofPods, labelSelector: { requirements: [{ key: 'a', operator: 'Wrong' }] } } },
  { resourceAttributes: { ...ofPods, labelSelector: { rawSelector: 'a', requirements: [{}] } } },
  { nonResourceAttributes: { path: '/healthz', verb: 'get' } },
  { nonResourceAttributes: { path: '/secret', verb: 'get' } },
  { resourceAttributes: ofPods, nonResourceAttributes: { path: '/', verb: 'get' } },
  { resourceAttributes: 'x' },
  { resourceAttributes: {} },
  { more: 1 },
  {},
];

const subjects: readonly JsonObject[] = [
  { user: 'vera' },
  { user: 'ada', groups: ['a'] },
  { user: 'eve', uid: '1', extra: { a: ['b'] } },
  { groups: ['system:masters'] },
  { groups: ['system:authenticated'] },
  { user: 'eve', groups: 'x' },
  { user: '' },
  {},
];

const spec = (value: JsonObject): JsonObject => ({ spec: value });
const ofSubjects = attributes.flatMap((each) => subjects.map((subject) => spec({ ...each, ...subject })));

const created: readonly Created[] = [
  reviewOf(authorization, 'SelfSubjectAccessReview', attributes.map(spec)),
  reviewOf(authorization, 'SubjectAccessReview', ofSubjects),
  reviewOf(authorization, 'LocalSubjectAccessReview', ofSubjects, 'namespaces/{ns}/'),
  reviewOf(authorization, 'SelfSubjectRulesReview', [
    spec({ namespace: '{ns}' }),
    spec({ namespace: 'elsewhere' }),
    spec({}),
    {},
  ]),
  reviewOf(authentication, 'SelfSubjectReview', [
    {},
    { status: { userInfo: { username: 'x' } } },
    { more: 1 },
  ]),
  reviewOf(authentication, 'TokenReview', [
    spec({ token: 'wrong' }),
    spec({ token: 'wrong', audiences: ['a'] }),
    spec({ token: '' }),
    spec({}),
    spec({ token: 7 }),
    { status: { authenticated: true } },
  ]),
  {
    path: '/api/v1/namespaces/{ns}/bindings',
    type: { apiVersion: 'v1', kind: 'Binding' },
    bodies: [
      { metadata: { name: 'none' }, target: { name: 'n1' } },
      { metadata: { name: 'none' }, target: {} },
      { target: { name: 'n1' } },
      {},
    ],
  },
];

function reviewOf(apiVersion: string, kind: string, bodies: readonly JsonObject[], place = ''): Created {
  return { path: `/apis/${apiVersion}/${place}${kind.toLowerCase()}s`, type: { apiVersion, kind }, bodies };
}

/** Returns a sequence of requests that create nothing. */
export function reviewSteps(random: Random, length: number): readonly Step[] {
  return Array.from({ length }, () => asUser(reviewStep(random), random));
}

function reviewStep(random: Random): Step {
  const { path, type, bodies } = created[random.int(created.length)] ?? reviewOf('v1', 'None', []);
  const metadata = random.pick<JsonObject>([
    {},
    {},
    {},
    { metadata: { name: 'a' } },
    { metadata: { labels: { 'a b': '' } } },
    { metadata: { namespace: 'other' } },
    { metadata: { managedFields: [{}] } },
  ]);
  const typed = random.pick<JsonObject>([type, type, type, {}, { ...type, kind: 'Other' }]);
  const body = { ...typed, ...metadata, ...bodies[random.int(bodies.length)] };
  const accept = random.pick([
    '',
    '',
    '',
    'application/yaml',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
  ]);
  return random.pick<Step>([
    ...(Array(8).fill({
      method: 'POST',
      path,
      query: writeQuery(random),
      body,
      ...(accept === '' ? {} : { accept }),
    }) as [Step]),
    { method: 'GET', path },
    { method: 'GET', path: `${path}/a` },
    { method: 'DELETE', path },
    { method: 'PUT', path: `${path}/a`, body },
  ]);
}
