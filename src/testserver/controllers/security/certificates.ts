/** Signers of certificate requests that every cluster has, and the approval of those of kubelets. */
import type { CertificateAuthority, KeyUsage } from '@kgen/certificates/authority';
import { type CertificateRequest, readCertificateRequest } from '@kgen/certificates/requests';
import { array, type JsonObject, object, own, putAt, strings, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { isConditionTrue } from '../../store/object-facts.ts';
import { type Cluster, type ResourcePath, storageOf } from '../cluster.ts';
import type { Controller } from '../controller.ts';
import { number } from '../workloads/values.ts';

const requests: ResourcePath = {
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
};

const accessReviews: ResourcePath = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
};

/** Longest validity of a certificate, and the shortest. */
const longestSeconds = 365 * 24 * 3_600;
const shortestSeconds = 600;
/** Time before the present at which validity begins: clocks differ. */
const backdateSeconds = 300;
/** A validity below this one is not shortened by the backdate. */
const shortSeconds = 8 * 3_600;

/** Returns the problem of an approved request that its signer refuses, or `undefined`. */
type Validation = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

const validations: ReadonlyMap<string, Validation> = new Map<string, Validation>([
  [
    'kubernetes.io/kube-apiserver-client',
    (_, usages) => {
      const invalid = usages.find((usage) => !['client auth', ...keyUsages].includes(usage));
      if (invalid !== undefined) return `invalid usage for client certificate: ${invalid}`;
      return usages.includes('client auth')
        ? undefined
        : 'missing required usage for client certificate: client auth';
    },
  ],
  [
    'kubernetes.io/kube-apiserver-client-kubelet',
    (request, usages) =>
      organizationProblem(request) ??
      altNameProblem(request, ['names', 'emails', 'addresses', 'uris']) ??
      nodeNameProblem(request) ??
      usageProblem(usages, 'client auth'),
  ],
  [
    'kubernetes.io/kubelet-serving',
    (request, usages) =>
      organizationProblem(request) ??
      (request.counts.names + request.counts.addresses === 0
        ? 'DNS or IP subjectAltName is required'
        : undefined) ??
      altNameProblem(request, ['emails', 'uris']) ??
      usageProblem(usages, 'server auth') ??
      nodeNameProblem(request),
  ],
]);

const keyUsages = ['digital signature', 'key encipherment'];

function organizationProblem({ organizations }: CertificateRequest): string | undefined {
  return organizations.join() === 'system:nodes' ? undefined : 'subject organization is not system:nodes';
}

const altNameKinds = { names: 'DNS', emails: 'Email', addresses: 'IP', uris: 'URI' } as const;

function altNameProblem(
  { counts }: CertificateRequest,
  forbidden: readonly (keyof typeof altNameKinds)[],
): string | undefined {
  const found = forbidden.find((kind) => counts[kind] > 0);
  return found === undefined ? undefined : `${altNameKinds[found]} subjectAltNames are not allowed`;
}

function nodeNameProblem({ commonName }: CertificateRequest): string | undefined {
  if (commonName.startsWith('system:node:')) return undefined;
  return 'subject common name does not begin with system:node:';
}

function usageProblem(usages: readonly string[], purpose: string): string | undefined {
  const all = [...new Set(usages)].toSorted().join();
  const allowed = [
    [purpose, ...keyUsages],
    [purpose, 'digital signature'],
  ].map((list) => list.toSorted().join());
  return allowed.includes(all)
    ? undefined
    : `usages did not match [${[purpose, ...keyUsages].toSorted().join(' ')}]`;
}

/** Returns the controller that approves the requests of kubelets and signs approved ones. */
export function certificateController(authority: CertificateAuthority): Controller {
  return {
    name: 'certificates',
    keys: ({ resource, key }) => (resource === storageOf(requests) ? [key] : []),
    *reconcile(key, cluster) {
      const value = cluster.get(requests, key);
      if (value === undefined || text(value, 'status', 'certificate') !== '') return;
      const pem = Buffer.from(text(value, 'spec', 'request'), 'base64').toString('latin1');
      const request = readCertificateRequest(pem);
      if (request === undefined || isConditionTrue(value, 'Denied')) return;
      if (!isConditionTrue(value, 'Approved')) yield* approve(cluster, value, request);
      else if (!isConditionTrue(value, 'Failed')) yield* sign(cluster, value, request, authority);
    },
  };
}

/** Approves the request of a kubelet for its own certificate as a client. */
function* approve(cluster: Cluster, value: JsonObject, request: CertificateRequest): Verb<void> {
  const signer = 'kubernetes.io/kube-apiserver-client-kubelet';
  if (text(value, 'spec', 'signerName') !== signer) return;
  if (validations.get(signer)?.(request, strings(value, 'spec', 'usages')) !== undefined) return;
  const isOwn = text(value, 'spec', 'username') === request.commonName;
  const message = (yield* mayCreate(cluster, value, isOwn ? 'selfnodeclient' : ''))
    ? 'Auto approving self kubelet client certificate after SubjectAccessReview.'
    : (yield* mayCreate(cluster, value, 'nodeclient'))
      ? 'Auto approving kubelet client certificate after SubjectAccessReview.'
      : undefined;
  if (message === undefined) return;
  const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
  yield* cluster.update(requests, withCondition(value, condition), 'approval');
}

function* mayCreate(cluster: Cluster, value: JsonObject, subresource: string): Verb<boolean> {
  if (subresource === '') return false;
  const { username = '', groups = [] } = object(value, 'spec');
  const { group, plural: resource } = requests;
  const resourceAttributes = { group, resource, subresource, verb: 'create', version: '*' };
  const review = yield* cluster.create(accessReviews, {
    spec: { user: username, groups, resourceAttributes },
  });
  return own(object(review, 'status'), 'allowed') === true;
}

function withCondition(value: JsonObject, condition: JsonObject): JsonObject {
  return putAt(value, ['status', 'conditions'], [...array(value, 'status', 'conditions'), condition]);
}

function* sign(
  cluster: Cluster,
  value: JsonObject,
  request: CertificateRequest,
  authority: CertificateAuthority,
): Verb<void> {
  const validate = validations.get(text(value, 'spec', 'signerName'));
  if (validate === undefined) return;
  const usages = strings(value, 'spec', 'usages');
  const problem = validate(request, usages);
  if (problem !== undefined) {
    const reason = 'SignerValidationFailure';
    const failed = {
      type: 'Failed',
      status: 'True',
      reason,
      message: problem,
      lastUpdateTime: cluster.timestamp(),
    };
    yield* cluster.update(requests, withCondition(value, failed), 'status');
    return;
  }
  const certificate = authority.sign(request, validityOf(value, cluster.now()), usages.filter(isKeyUsage));
  const encoded = Buffer.from(certificate).toString('base64');
  yield* cluster.update(requests, putAt(value, ['status', 'certificate'], encoded), 'status');
}

function isKeyUsage(usage: string): usage is KeyUsage {
  return ['digital signature', 'key encipherment', 'client auth', 'server auth'].includes(usage);
}

function validityOf(value: JsonObject, now: number): { readonly from: number; readonly until: number } {
  const requested = number(value, longestSeconds, 'spec', 'expirationSeconds');
  const seconds = Math.max(shortestSeconds, Math.min(requested, longestSeconds));
  const isShort = seconds < shortSeconds;
  return {
    from: now - backdateSeconds * 1_000,
    until: now + (isShort ? seconds : seconds - backdateSeconds) * 1_000,
  };
}
