/** Kinds that are only created and never stored. */

import { json, type RawClient } from './raw-client.ts';
import type { Home } from './specimens.ts';

/** A request body and its path. */
export interface Submission {
  readonly path: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** Creates a submission, which the server may process only once. */
export type Submit = (raw: RawClient, home: Home) => Promise<Submission> | Submission;

const authorization = 'authorization.k8s.io/v1';
const authentication = 'authentication.k8s.io/v1';
const resourceAttributes = {
  verb: 'list',
  resource: 'pods',
  fieldSelector: { requirements: [{ key: 'metadata.name', operator: 'In', values: ['a', ''] }] },
};

/** By apiVersion and kind. */
export const virtualKinds: ReadonlyMap<string, Submit> = new Map<string, Submit>([
  ['v1/Binding', binding],
  [`${authentication}/SelfSubjectReview`, review(authentication, 'SelfSubjectReview', {})],
  [
    `${authentication}/TokenReview`,
    review(authentication, 'TokenReview', { spec: { token: 'nonsense', audiences: ['a'] } }),
  ],
  [`${authorization}/LocalSubjectAccessReview`, localReview],
  [
    `${authorization}/SelfSubjectAccessReview`,
    review(authorization, 'SelfSubjectAccessReview', { spec: { resourceAttributes } }),
  ],
  [
    `${authorization}/SelfSubjectRulesReview`,
    review(authorization, 'SelfSubjectRulesReview', { spec: { namespace: 'default' } }),
  ],
  [
    `${authorization}/SubjectAccessReview`,
    review(authorization, 'SubjectAccessReview', {
      spec: {
        user: 'eve',
        groups: ['system:masters'],
        extra: { 'example.com/team': ['red', ''], none: [] },
        nonResourceAttributes: { path: '/version', verb: 'get' },
      },
    }),
  ],
]);

function review(apiVersion: string, kind: string, content: object): Submit {
  const path = `/apis/${apiVersion}/${kind.toLowerCase()}s`;
  return () => ({ path, object: { apiVersion, kind, ...content } });
}

function localReview(_: RawClient, { namespace }: Home): Submission {
  const spec = { user: 'eve', resourceAttributes: { ...resourceAttributes, namespace } };
  return {
    path: `/apis/${authorization}/namespaces/${namespace}/localsubjectaccessreviews`,
    object: { apiVersion: authorization, kind: 'LocalSubjectAccessReview', metadata: { namespace }, spec },
  };
}

let bound = 0;

/** Returns a binding of a pod without a node. */
async function binding(raw: RawClient, { namespace }: Home): Promise<Submission> {
  bound += 1;
  const name = `bound-${bound}`;
  const spec = { containers: [{ name: 'web', image: 'web:1' }] };
  const path = `/api/v1/namespaces/${namespace}`;
  await raw.expect(json, {
    method: 'POST',
    path: `${path}/pods`,
    body: JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec }),
  });
  const target = { kind: 'Node', name: 'n1' };
  return {
    path: `${path}/bindings`,
    object: { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target },
  };
}
