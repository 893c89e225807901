/** A mutating webhook for the namespaces whose names end with the name of its behaviour. */

import type { AdmissionDecision, TestWebhook } from '@kgen/testserver';
import { isFields } from './history.ts';

const resources = ['things', 'things/status', 'configmaps', 'deployments', 'deployments/status'];

/** Sets a label, replaces a value, or removes a field. */
export const webhook: TestWebhook = {
  name: 'mutate.twins.example.com',
  type: 'mutating',
  rules: [{ resources, operations: ['CREATE', 'UPDATE'] }],
  handle: ({ namespace = '', object }) => {
    if (namespace.endsWith('-label')) return { patch: labelled(object) };
    const content = object?.['spec'] ?? object?.['data'];
    const path = object?.['spec'] === undefined ? '/data' : '/spec';
    if (!isFields(content)) return undefined;
    if (namespace.endsWith('-replace') && content['a'] === 'x') {
      return { patch: [{ op: 'replace', path: `${path}/a`, value: 'y' }] };
    }
    if (namespace.endsWith('-remove') && content['b'] !== undefined) {
      return { patch: [{ op: 'remove', path: `${path}/b` }] };
    }
    return undefined;
  },
};

/** Returns the JSON patch that sets the label. */
function labelled(object: unknown): NonNullable<AdmissionDecision['patch']> {
  const metadata = isFields(object) ? object['metadata'] : undefined;
  const hasLabels = isFields(metadata) && isFields(metadata['labels']);
  if (!hasLabels) return [{ op: 'add', path: '/metadata/labels', value: { hooked: 'yes' } }];
  return [{ op: 'add', path: '/metadata/labels/hooked', value: 'yes' }];
}
