/** Condition of FlowSchemas: whether the priority level to which they refer exists. */
import { text } from '@kgen/schema/values/json';
import { flowStorage, levelOf } from '../../access/flow-schemas.ts';
import { conditionOf } from '../../store/object-facts.ts';
import type { ResourcePath } from '../cluster.ts';
import type { Controller } from '../controller.ts';

const schemas: ResourcePath = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'FlowSchema',
  plural: 'flowschemas',
};

const manager = 'api-priority-and-fairness-config-consumer-v1';

/** Reports FlowSchemas without a priority level, which classify no requests. */
export const flowSchemaController: Controller = {
  name: 'flowSchemas',
  keys: ({ resource, key }, { state: { store } }) => {
    if (resource === flowStorage.schemas) return [key];
    if (resource !== flowStorage.levels) return [];
    const all = store.list(flowStorage.schemas);
    return all.filter(([, schema]) => levelOf(schema) === key).map(([name]) => name);
  },
  *reconcile(key, cluster) {
    const schema = cluster.get(schemas, key);
    if (schema === undefined) return;
    const level = levelOf(schema);
    const exists = cluster.state.store.get(flowStorage.levels, level) !== undefined;
    const message = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)} ${exists ? 'and it exists' : 'but there is no such object'}`;
    const condition = {
      type: 'Dangling',
      status: exists ? 'False' : 'True',
      reason: exists ? 'Found' : 'NotFound',
      message,
    };
    const before = conditionOf(schema, condition.type);
    if (Object.entries(condition).every(([member, value]) => text(before, member) === value)) return;
    const conditions = [{ ...condition, lastTransitionTime: cluster.timestamp() }];
    yield* cluster.applyStatus(schemas, key, { conditions }, manager);
  },
};
