import { object, text } from '@kgen/schema/values/json';
import { usageOfQuota } from '../../resources/kinds/limits/quota.ts';
import { isDeleting, nameOf, namespaceOf } from '../../store/object-facts.ts';
import { keyOf, type ResourcePath, storageOf } from '../cluster.ts';
import type { Controller } from '../controller.ts';
import { sameStatus } from '../workloads/values.ts';

const quotas: ResourcePath = { group: '', version: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas' };

/** Counts the objects of quotas in their status. */
export const resourceQuotaController: Controller = {
  name: 'resourceQuotas',
  keys: (change, cluster) => {
    if (change.resource === storageOf(quotas)) return [change.key];
    const namespace = text(change.object, 'metadata', 'namespace');
    if (namespace === '') return [];
    return cluster.list(quotas, namespace).map((quota) => keyOf(namespaceOf(quota), nameOf(quota)));
  },
  *reconcile(key, cluster) {
    const quota = cluster.get(quotas, key);
    if (quota === undefined || isDeleting(quota)) return;
    const hard = object(quota, 'spec', 'hard');
    const status = { hard, used: usageOfQuota(quota, cluster.state.store) };
    if (!sameStatus(status, object(quota, 'status'))) yield* cluster.updateStatus(quotas, quota, status);
  },
};
