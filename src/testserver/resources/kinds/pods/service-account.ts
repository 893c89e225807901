/**
 * The admission plugin ServiceAccount: name of the account, its image pull secrets, and the volume of its
 * token.
 */

import {
  array,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  putAt,
  replace,
  text,
} from '@kgen/schema/values/json';
import { randomSuffix } from '../../../environment/environment.ts';
import type { Cluster } from '../support/rules.ts';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Returns a pod with its service account. Without that account it is unchanged: servers for tests often have
 * no controller that creates accounts.
 */
export function withServiceAccount(value: JsonObject, cluster: Cluster): JsonObject {
  const name = text(value, 'spec', 'serviceAccountName') || 'default';
  const account = cluster.store.get('serviceaccounts', `${text(value, 'metadata', 'namespace')}/${name}`);
  if (account === undefined) return value;
  const spec = object(value, 'spec');
  const named = { ...spec, serviceAccountName: name, serviceAccount: name };
  const secrets = array(account, 'imagePullSecrets');
  const complete =
    array(spec, 'imagePullSecrets').length > 0 || secrets.length === 0
      ? named
      : { ...named, imagePullSecrets: secrets };
  const mounts =
    own(spec, 'automountServiceAccountToken') ?? own(account, 'automountServiceAccountToken') ?? true;
  return replace(value, 'spec', mounts === true ? withToken(complete, cluster) : complete);
}

function withToken(spec: JsonObject, cluster: Cluster): JsonObject {
  const name = `kube-api-access-${randomSuffix(cluster)}`;
  const lists = ['initContainers', 'containers'];
  const isMissing = lists.some((key) => array(spec, key).some((item) => !hasMount(item)));
  if (!isMissing) return spec;
  const mounted = lists.reduce((result, key) => {
    const items = own(result, key);
    return isArray(items)
      ? replace(
          result,
          key,
          items.map((item) => withMount(item, name)),
        )
      : result;
  }, spec);
  return putAt(mounted, ['volumes'], [...array(spec, 'volumes'), tokenVolume(name)]);
}

function hasMount(item: Json): boolean {
  return array(item, 'volumeMounts').some((mount) => text(mount, 'mountPath') === mountPath);
}

function withMount(item: Json, name: string): Json {
  if (!isObject(item) || hasMount(item)) return item;
  return { ...item, volumeMounts: [...array(item, 'volumeMounts'), { name, readOnly: true, mountPath }] };
}

function tokenVolume(name: string): JsonObject {
  const namespace = { path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } };
  const sources = [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    { downwardAPI: { items: [namespace] } },
  ];
  return { name, projected: { sources, defaultMode: 420 } };
}
