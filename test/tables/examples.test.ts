/** Table tests of the operators of `examples`. */
import { deployments } from '@kgen/kubernetes/apps/v1';
import { services } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { created, deleted, edited, failing, samplesOf, stored, tableTests, wrote } from '@kgen/testing';
import { describe, expect, test } from 'vitest';
import { operator as myAppOperator } from '../../examples/operators/myapp/src/operator.ts';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';

const { given } = tableTests(myAppOperator, { crds: ['crds/myapp.yaml'] });
const app = stored(myApps, { metadata: { name: 'a' }, spec: { appName: 'web', version: '1.0' } });
const version = (image: string) => ({ spec: { template: { spec: { containers: [{ image }] } } } });
/** The writes of an object that does not exist: never one that would change an object of others. */
const creation = (kind: typeof deployments | typeof services, body = {}) => [
  wrote('create', kind, body),
  wrote('patch', kind), // Its fields become applied ones.
  wrote('apply', kind, body),
];
const progressing = { status: { conditions: [{ type: 'Ready', reason: 'Progressing' }] } };

describe('MyApp', () => {
  test('becomes a Deployment and a Service', async () => {
    await given(app).expect({
      writes: [
        ...creation(deployments, {
          metadata: { name: 'a', namespace: 'default' },
          ...version('web:1.0'),
        }),
        ...creation(services, { spec: { ports: [{ port: 80, nodePort: undefined }] } }),
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

  const restored = { metadata: { labels: { 'app.kubernetes.io/name': 'myapp' } } };
  const applied = [wrote('apply', deployments, restored)];
  test.each([
    ['is edited', edited(deployments, 'default/a', ({ metadata }) => void delete metadata.labels), applied],
    ['is deleted', deleted(deployments, 'a'), creation(deployments, restored)],
    [
      'is edited by a function',
      (rest: Parameters<typeof resource>[0]) =>
        resource(rest, deployments)
          .in('default')
          .patch('a', { metadata: { labels: null } }),
      applied,
    ],
  ])('restores a Deployment that %s', (_, change, writes) =>
    given(app)
      .reconciled()
      .when(change)
      .expect({
        writes,
        reconciled: ['default/a'],
      }),
  );

  test('reports a Deployment that the server refuses', () =>
    given(app)
      .when(failing({ status: 422, reason: 'Invalid', match: { resource: 'deployments', verb: 'create' } }))
      .expect({
        writes: [
          wrote('create', deployments, {}, { code: 422 }),
          ...creation(services),
          wrote('apply status', myApps),
        ],
        status: { conditions: [{ reason: 'Invalid' }] },
        events: [{ type: 'Warning', reason: 'Invalid' }],
      }));

  test('reads an object after a conflict, and repeats a request that is throttled', async () => {
    const match = { resource: 'services', verb: 'create' };
    const conflict = await given(app)
      .when(failing({ status: 409, reason: 'Conflict', match }))
      .run();
    const verbs = conflict.writes.filter(({ resource }) => resource === 'services').map(({ verb }) => verb);
    expect(verbs).toEqual(['create', 'create', 'patch', 'apply']);
    await given(app)
      .when(failing({ status: 429, retryAfterSeconds: 3, match }))
      .expect({
        writes: [
          ...creation(deployments),
          wrote('create', services, {}, { code: 429 }),
          ...creation(services),
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
          writes: [...creation(deployments), ...creation(services), wrote('apply status', myApps)],
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
