/** Each change of a sample on its own: in a create, and in an update. */
import { randomOf } from '../support/random.ts';
import { type SampledKind, sampledKinds } from './sampled-kinds.ts';
import type { Step } from './step.ts';
import { Target } from './target.ts';

/** Kinds with a listed difference in one of these changes: see docs/test-server.md. */
const different: ReadonlySet<string> = new Set([
  'CronJob',
  'DaemonSet',
  'Deployment',
  'Event',
  'HorizontalPodAutoscaler',
  'Job',
  'MutatingWebhookConfiguration',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'PodTemplate',
  'ReplicaSet',
  'ReplicationController',
  'ServiceAccount',
  'ServiceCIDR',
  'StatefulSet',
  'ValidatingAdmissionPolicy',
  'ValidatingWebhookConfiguration',
]);

/** All requests: dry runs, behind those that create the objects. */
export const partSteps: readonly Step[] = sampledKinds
  .filter(({ kind }) => !different.has(kind))
  .flatMap(stepsOf);

function stepsOf(kind: SampledKind): readonly Step[] {
  const { apiVersion, isClusterScoped, base, parts, wrong } = kind;
  const target = new Target(kind, randomOf(1));
  const prefix = isClusterScoped === true ? '{ns}-' : '';
  const [name, other] = kind.names ?? [`${prefix}a`, `${prefix}b`];
  const typed = { apiVersion, kind: kind.kind };
  const query = { dryRun: 'All' };
  const path = target.collection;
  const type = 'application/merge-patch+json';
  return [
    { method: 'POST', path, body: target.merge({ ...typed, metadata: { name } }, base) },
    ...[...parts, ...wrong].flatMap((part): readonly Step[] => [
      {
        method: 'POST',
        path,
        query,
        body: target.merge({ ...typed, metadata: { name: other } }, base, part),
      },
      { method: 'PATCH', path: `${path}/${name}`, query, body: part, type },
    ]),
  ];
}
