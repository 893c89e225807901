/** A mutating webhook of others, which adds defaults to the objects that the operator writes. */
import { type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { readJson, writeJson } from '@kgen/schema/values/wire';
import { storageKey } from '@kgen/testserver/internal/resources/type';
import { foreignWebhook } from '../checks/leftovers.ts';
import { idOf, type SimulatedCluster } from '../cluster.ts';
import { isBookkeeping } from '../history.ts';
import type { RunSetup } from './run-result.ts';

/** The line of the history at the start of a run with such a webhook. */
export const defaultsText =
  'a webhook of others adds an annotation and tolerations to what the operator writes';

/** Objects that the webhook leaves as they are: of users, and those that existed before the run. */
type DefaultedScope = Pick<RunSetup, 'sampleResources' | 'base'>;

const path = '/defaults';

const configuration = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: foreignWebhook },
  webhooks: [
    {
      name: 'defaults.others.example.com',
      clientConfig: { url: `https://others.invalid${path}` },
      rules: [
        {
          apiGroups: ['*'],
          apiVersions: ['*'],
          operations: ['CREATE', 'UPDATE'],
          resources: ['*'],
          scope: '*',
        },
      ],
      failurePolicy: 'Fail',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
};

/** Adds the webhook to a cluster. */
export async function addDefaults(cluster: SimulatedCluster, scope: DefaultedScope): Promise<void> {
  cluster.webhooks.add({
    paths: [path],
    respond: async (_, body) => ({
      status: 200,
      body: writeJson(reviewed(readJson(Buffer.from(body).toString()), cluster, scope)),
    }),
  });
  await cluster.send('POST', idOf(configuration), configuration);
}

function reviewed(review: Json, cluster: SimulatedCluster, scope: DefaultedScope): JsonObject {
  const request = object(review, 'request');
  const value = object(request, 'object');
  const operations = isDefaulted(request, value, cluster, scope) ? defaultsOf(value) : [];
  const patch = Buffer.from(writeJson(operations)).toString('base64');
  const change = operations.length === 0 ? {} : { patchType: 'JSONPatch', patch };
  const response = { uid: text(request, 'uid'), allowed: true, ...change };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
}

/** Returns whether the object is one that the operator creates, in any run of the schedule. */
function isDefaulted(
  request: JsonObject,
  value: JsonObject,
  cluster: SimulatedCluster,
  { sampleResources, base }: DefaultedScope,
): boolean {
  if (!cluster.isOperator(text(request, 'userInfo', 'username'))) return false;
  const { namespace, name, ...kind } = idOf(value);
  const type = cluster.typeOf(kind);
  if (isBookkeeping(type.plural) || sampleResources.has(type.storage)) return false;
  const key = storageKey(type, namespace, name);
  return !(base.content.get(type.storage) ?? []).some(([known]) => known === key);
}

const annotation = 'others.example.com/defaults';
const tolerations = [{ key: 'others.example.com/pool', operator: 'Exists' }];

/** Returns the JSON patch that adds the defaults to an object; empty if it has them. */
function defaultsOf(value: JsonObject): readonly JsonObject[] {
  const annotations = object(value, 'metadata', 'annotations');
  const pods = object(value, 'spec', 'template', 'spec');
  return [
    ...(own(annotations, annotation) === undefined
      ? [{ op: 'add', path: '/metadata/annotations', value: { ...annotations, [annotation]: 'added' } }]
      : []),
    ...(own(pods, 'containers') !== undefined && own(pods, 'tolerations') === undefined
      ? [{ op: 'add', path: '/spec/template/spec/tolerations', value: tolerations }]
      : []),
  ];
}
