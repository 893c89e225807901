/** Objects that every namespace has: the default service account and the root certificate. */

import type { JsonObject } from '@kgen/schema/values/json';
import { equal, object } from '@kgen/schema/values/json';
import { isDeleting } from '../../store/object-facts.ts';
import { type ResourcePath, storageOf } from '../cluster.ts';
import type { Controller, ControllerName } from '../controller.ts';
import { configMaps, namespaces, serviceAccounts } from '../workloads/paths.ts';

/** Creates the service account `default` of namespaces. */
export const serviceAccountController: Controller = defaultObject(
  'serviceAccounts',
  serviceAccounts,
  'default',
  {},
);

/** Publishes the certificate of the server's authority as config map `kube-root-ca.crt`. */
export function rootCertificateController(certificate: string): Controller {
  return defaultObject('rootCertificates', configMaps, 'kube-root-ca.crt', {
    metadata: {
      annotations: {
        'kubernetes.io/description':
          'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
      },
    },
    data: { 'ca.crt': certificate },
  });
}

function defaultObject(
  controller: ControllerName,
  path: ResourcePath,
  name: string,
  content: JsonObject,
): Controller {
  return {
    name: controller,
    keys: ({ resource, key }) => {
      if (resource === storageOf(namespaces)) return [key];
      return resource === storageOf(path) && key.endsWith(`/${name}`) ? [key.slice(0, -name.length - 1)] : [];
    },
    *reconcile(namespace, cluster) {
      const found = cluster.get(namespaces, namespace);
      if (found === undefined || isDeleting(found)) return;
      const existing = cluster.get(path, `${namespace}/${name}`);
      const metadata = { ...object(content, 'metadata'), name, namespace };
      if (existing === undefined) cluster.createComplete(path, { ...content, metadata });
      else if (!isDeleting(existing) && !equal(object(existing, 'data'), object(content, 'data'))) {
        yield* cluster.update(path, { ...existing, ...content, metadata: object(existing, 'metadata') });
      }
    },
  };
}
