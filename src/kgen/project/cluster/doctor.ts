/** `kgen doctor`: the state of a deployed operator, and what is wrong with it. */
import { isForbidden } from '@kgen/runtime';
import { array, at, isObject, type JsonObject, strings, text } from '@kgen/schema/values/json';
import { Refusal } from '../../cluster/refusal.ts';
import { certificateVolume } from '../../manifests/deployment/workload.ts';
import { type Cluster, refOf } from './cluster.ts';
import { rolloutFacts } from './deploy.ts';
import type { ServingSecret } from './doctor-certificates.ts';
import { type DoctorFacts, diagnose, loggingPods } from './doctor-rules.ts';
import { lockOf } from './lock.ts';
import { recentLog } from './logs.ts';
import { definedObjects } from './objects.ts';
import { isDefinition, isDeployment, type OperatorPlace, webhookKinds } from './operator.ts';
import type { Session } from './session.ts';

/** Options of `doctor`. */
export interface DoctorOptions extends OperatorPlace {
  /** Manifests of the project. */
  readonly objects: readonly JsonObject[];
}

/**
 * Prints the findings about a deployed operator.
 * @throws {Refusal} at least one is an error
 */
export async function doctor(cluster: Cluster, options: DoctorOptions, session: Session): Promise<void> {
  const findings = diagnose(await doctorFacts(cluster, options, session));
  for (const { level, what } of findings) session.print(`${level.padEnd(8)} ${what}`);
  const errors = findings.filter(({ level }) => level === 'error').length;
  if (errors > 0) throw new Refusal(`${options.name} has ${errors} ${errors === 1 ? 'problem' : 'problems'}`);
}

async function doctorFacts(
  cluster: Cluster,
  { name, namespace, objects }: DoctorOptions,
  { now }: Session,
): Promise<DoctorFacts> {
  const definitions = objects.filter(isDefinition);
  const permissions = permissionsOf(objects, { name, namespace });
  const [rollout, defined, services, lease, webhooks, denied, certificate] = await Promise.all([
    rolloutFacts(cluster, { name, namespace }),
    definedObjects(
      cluster,
      definitions.map(refOf).map((ref) => ref.name),
    ),
    cluster.list({ apiVersion: 'v1', kind: 'Service' }, { namespace }),
    cluster.find({ ...lockOf({ name, namespace }), name }),
    Promise.all(webhookKinds.map((kind) => cluster.find({ ...kind, name }))),
    deniedOf(cluster, permissions, { name, namespace }),
    servingSecret(cluster, objects, permissions, namespace),
  ]);
  const logs = await Promise.all(loggingPods(rollout.pods, lease).map((pod) => recentLog(cluster, pod)));
  return {
    ...{ name, namespace, now: now(), rollout, definitions, defined, lease, denied, logs },
    ...{ certificate, checked: permissions.length },
    webhooks: webhooks.filter((each) => each !== undefined),
    services: services.map(refOf).map((ref) => ref.name),
  };
}

/** Reads the Secret that the Pods mount for their webhooks, or that the operator may update. */
async function servingSecret(
  cluster: Cluster,
  objects: readonly JsonObject[],
  permissions: readonly Permission[],
  namespace: string,
): Promise<ServingSecret | undefined> {
  const mounted = mountedSecret(objects);
  const kept = permissions.find(({ verb, resource }) => verb === 'update' && resource === 'secrets')?.name;
  const name = mounted ?? kept;
  if (name === undefined) return undefined;
  const isMounted = mounted !== undefined;
  try {
    const secret = await cluster.find({ apiVersion: 'v1', kind: 'Secret', namespace, name });
    const chain = Buffer.from(text(secret, 'data', 'tls.crt'), 'base64').toString();
    return { name, isMounted, chain, state: secret === undefined ? 'missing' : 'present' };
  } catch (cause) {
    if (!isForbidden(cause)) throw cause;
    return { name, isMounted, chain: '', state: 'forbidden' };
  }
}

/** Returns the name of the Secret with the certificate of webhooks that a Deployment mounts. Pure. */
export function mountedSecret(objects: readonly JsonObject[]): string | undefined {
  const volumes = objects
    .filter(isDeployment)
    .flatMap((each) => array(each, 'spec', 'template', 'spec', 'volumes'));
  const volume = volumes.find((each) => text(each, 'name') === certificateVolume);
  return text(volume, 'secret', 'secretName') || undefined;
}

/** A permission of the service account. */
interface Permission {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Returns the permissions that the roles of manifests grant to the account of an operator. Pure. */
export function permissionsOf(
  objects: readonly JsonObject[],
  { name, namespace }: OperatorPlace,
): readonly Permission[] {
  const isBound = (binding: JsonObject): boolean =>
    array(binding, 'subjects').some(
      (subject) => text(subject, 'name') === name && text(subject, 'namespace') === namespace,
    );
  return objects.filter(isBound).flatMap((binding) => {
    const place = text(binding, 'metadata', 'namespace');
    const role = objects.find(
      (each) =>
        text(each, 'kind') === text(binding, 'roleRef', 'kind') &&
        refOf(each).name === text(binding, 'roleRef', 'name'),
    );
    return array(role, 'rules').flatMap((rule) => {
      const names = at(rule, 'resourceNames') === undefined ? [undefined] : strings(rule, 'resourceNames');
      return strings(rule, 'apiGroups').flatMap((group) =>
        strings(rule, 'resources').flatMap((whole) => {
          const [resource = '', subresource] = whole.split('/');
          const part = { group, resource, ...(subresource !== undefined && { subresource }) };
          return strings(rule, 'verbs').flatMap((verb) =>
            names.map((each) => ({
              ...{ verb, ...part },
              ...(place !== '' && { namespace: place }),
              ...(each !== undefined && { name: each }),
            })),
          );
        }),
      );
    });
  });
}

const atOnce = 8;

async function deniedOf(
  cluster: Cluster,
  permissions: readonly Permission[],
  place: OperatorPlace,
): Promise<readonly string[]> {
  const denied: string[] = [];
  for (let start = 0; start < permissions.length; start += atOnce) {
    const some = permissions.slice(start, start + atOnce);
    const allowed = await Promise.all(some.map((permission) => isAllowed(cluster, permission, place)));
    for (const [index, permission] of some.entries())
      if (allowed[index] === false) denied.push(permissionText(permission));
  }
  return denied;
}

async function isAllowed(
  { rest }: Cluster,
  permission: Permission,
  { name, namespace }: OperatorPlace,
): Promise<boolean> {
  const spec = {
    user: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    resourceAttributes: permission,
  };
  const apiVersion = 'authorization.k8s.io/v1';
  const body = { apiVersion, kind: 'SubjectAccessReview', metadata: {}, spec };
  const review = await rest.post(`/apis/${apiVersion}/subjectaccessreviews`, { body });
  return isObject(review) && at(review, 'status', 'allowed') === true;
}

function permissionText({ verb, group, resource, subresource, namespace, name }: Permission): string {
  const part = subresource === undefined ? resource : `${resource}/${subresource}`;
  const whole = group === '' ? part : `${part}.${group}`;
  const one = name === undefined ? '' : ` named ${name}`;
  return `${verb} ${whole}${one}${namespace === undefined ? '' : ` in ${namespace}`}`;
}
