import { deployments } from '@kgen/kubernetes/apps/v1';
import { services } from '@kgen/kubernetes/core/v1';
import { stored, tableTests, wrote } from '@kgen/testing';
import { test } from 'vitest';
import { myApps } from '../generated/my.domain/v1/index.js';
import { operator } from '../src/operator.js';

const { given } = tableTests(operator, { crds: ['config/crd'] });
const app = stored(myApps, { metadata: { name: 'a' }, spec: { appName: 'web', version: '1.0' } });
const template = { spec: { containers: [{ image: 'web:1.0' }] } };

test('becomes a Deployment and a Service', async () => {
  await given(app).expect({
    writes: [
      wrote('create', deployments),
      wrote('patch', deployments), // Its fields become applied ones.
      wrote('apply', deployments, { spec: { template } }),
      wrote('create', services),
      wrote('patch', services),
      wrote('apply', services, { spec: { ports: [{ port: 80 }] } }),
      wrote('apply status', myApps, { status: { conditions: [{ type: 'Ready', reason: 'Progressing' }] } }),
    ],
  });
});
