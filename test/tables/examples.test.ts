/** Table tests of the operators of `examples`. */
import { deployments } from '@kgen/kubernetes/apps/v1';
import { services } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { created, deleted, edited, failing, samplesOf, stored, tableTests, wrote } from '@kgen/testing';
import { describe, expect, test } from 'vitest';
import { myAppOperator } from '../../examples/operators/myapp/operator.ts';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';

const { given } = tableTests(myAppOperator, { crds: ['crds/myapp.yaml'] });
const app = stored(myApps, { metadata: { name: 'a' }, spec: { appName: 'web', version: '1.0' } });
const version = (image: string) => ({ spec: { template: { spec: { containers: [{ image }] } } } });
const progressing = { status: { conditions: [{ type: 'Ready', reason: 'Progressing' }] } };

describe('MyApp', () => {
  test('becomes a Deployment and a Service', async () => {
    await given(app).expect({
      writes: [
        wrote('apply', deployments, { metadata: { name: 'a', namespace: 'default' }, ...version('web:1.0') }),
        wrote('apply', services, { spec: { ports: [{ port: 80, nodePort: undefined }] } }),
        wrote('apply status', myApps, progressing),
      ],
      status: { readyReplicas: 0, observedGeneration: 1 },
      events: [{ type: 'Normal', reason: 'Progressing', note: /rolled out/, regarding: { name: 'a' } }],
      reconciled: ['default/a'],
      requeueAfterMs: undefined,
    });
    const { runs } = await given(app).run();
    expect(runs).toMatchObject([{ controller: 'myapp', error: undefined }]);
  });

  test('changes the image with its version', () =>
    given(app)
      .reconciled()
      .when(edited(app, ({ spec }) => void Object.assign(spec, { version: '2.0' })))
      .expect({
        writes: [wrote('apply', deployments, version('web:2.0')), wrote('apply status', myApps)],
        events: [],
      }));

  test('is ready once the Deployment is', () =>
    given(app)
      .reconciled()
      .when(
        edited(deployments, 'a', ({ status, metadata }) => {
          const observedGeneration = metadata.generation;
          Object.assign(status, { observedGeneration, replicas: 1, updatedReplicas: 1 });
          Object.assign(status, { availableReplicas: 1, readyReplicas: 1 });
        }),
      )
      .expect({
        // Another client may own fields of the Deployment since its status has changed.
        writes: [wrote('apply', deployments), wrote('apply status', myApps)],
        status: { readyReplicas: 1, conditions: [{ type: 'Ready', status: 'True' }] },
        events: [{ reason: 'Available' }],
      }));

  test.each([
    ['is edited', edited(deployments, 'default/a', ({ metadata }) => void delete metadata.labels)],
    ['is deleted', deleted(deployments, 'a')],
    [
      'is edited by a function',
      (rest: Parameters<typeof resource>[0]) =>
        resource(rest, deployments)
          .in('default')
          .patch('a', { metadata: { labels: null } }),
    ],
  ])('restores a Deployment that %s', (_, change) =>
    given(app)
      .reconciled()
      .when(change)
      .expect({
        writes: [
          wrote('apply', deployments, { metadata: { labels: { 'app.kubernetes.io/name': 'myapp' } } }),
        ],
        reconciled: ['default/a'],
      }),
  );

  test('reports a Deployment that the server refuses', () =>
    given(app)
      .when(failing({ status: 422, reason: 'Invalid', match: { resource: 'deployments', verb: 'patch' } }))
      .expect({
        writes: [wrote('apply', deployments, {}, { code: 422 }), wrote('apply status', myApps)],
        status: { conditions: [{ reason: 'Invalid' }] },
        events: [{ type: 'Warning', reason: 'Invalid' }],
      }));

  test('fails with a conflict, and repeats a request that is throttled', async () => {
    const match = { resource: 'services', verb: 'patch' };
    await given(app)
      .when(failing({ status: 409, reason: 'Conflict', match }))
      .expect({ error: '409 Conflict' });
    await given(app)
      .when(failing({ status: 429, retryAfterSeconds: 3, match }))
      .expect({
        writes: [
          wrote('apply', deployments),
          wrote('apply', services, {}, { code: 429 }),
          wrote('apply', services),
          wrote('apply status', myApps),
        ],
      });
  });

  test('does nothing for a change that concerns it not', async () => {
    const other = stored(deployments, { metadata: { name: 'other' }, spec: specOf('other') });
    await given(app).reconciled().when(created(other)).expect({ writes: [], events: [], reconciled: [] });
    await given(app).reconciled().when(deleted(app)).expect({ writes: [], events: [], status: undefined });
  });

  test('has its objects for each sample', async () => {
    for (const { object } of (await samplesOf(myApps)).samples.slice(0, 5)) {
      await given()
        .when(created(object))
        .expect({
          writes: [wrote('apply', deployments), wrote('apply', services), wrote('apply status', myApps)],
        });
    }
  });
});

function specOf(name: string) {
  const containers = [{ name, image: name }];
  return {
    selector: { matchLabels: { name } },
    template: { metadata: { labels: { name } }, spec: { containers } },
  };
}
