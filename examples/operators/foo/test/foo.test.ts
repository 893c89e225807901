import { deployments } from '@kgen/kubernetes/apps/v1';
import { stored, tableTests, wrote } from '@kgen/testing';
import { test } from 'vitest';
import { foos } from '../generated/samplecontroller.c9g.io/v1alpha1/index.js';
import { operator } from '../src/operator.js';

const { given } = tableTests(operator, { crds: ['config/crd'] });
const foo = stored(foos, { metadata: { name: 'a' }, spec: { image: 'web:1', replicas: 2 } });

test('runs a Deployment of the image', async () => {
  const template = { spec: { containers: [{ image: 'web:1' }] } };
  await given(foo).expect({
    writes: [
      wrote('apply', deployments, { spec: { replicas: 2, template } }),
      wrote('apply status', foos, { status: { availableReplicas: 0 } }),
    ],
    events: [{ type: 'Normal', reason: 'Synced' }],
  });
});

test('does not change a Deployment of others', async () => {
  const other = stored(deployments, {
    metadata: { name: 'a' },
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } },
    },
  });
  await given(foo, other).expect({
    writes: [],
    events: [{ type: 'Warning', reason: 'ResourceExists' }],
    error: /does not belong to this Foo/,
  });
});
