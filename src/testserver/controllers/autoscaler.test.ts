import { expect, test, vi } from 'vitest';
import { array, at, type JsonObject, text } from '../../schema/values/json.ts';
import { call, start } from '../client.fixture.ts';
import { desiredReplicas } from './services/autoscaler.ts';

test.each([
  { current: 1, least: 2, most: 5, load: undefined, want: 2 },
  { current: 7, least: 2, most: 5, load: undefined, want: 5 },
  { current: 3, least: 2, most: 5, load: undefined, want: 3 },
  { current: 3, least: 2, most: 5, load: 4, want: 4 },
  { current: 3, least: 2, most: 5, load: 9, want: 5 },
  { current: 0, least: 2, most: 5, load: 4, want: 0 },
  { current: 0, least: 0, most: 5, load: 4, want: 4 },
])('$current replicas between $least and $most with a load of $load become $want', ({ want, ...state }) => {
  expect(desiredReplicas(state)).toBe(want);
});

const apps = '/apis/apps/v1/namespaces/default/deployments';
const scalers = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';

test('an autoscaler states in its conditions whether it has found, and scaled, its target', async () => {
  const server = await start({ controllers: ['autoscalers'] });
  const conditions = async (): Promise<readonly string[]> => {
    const { body } = await call(server, `${scalers}/web`);
    return array(body, 'status', 'conditions').map((each) => `${text(each, 'type')} ${text(each, 'reason')}`);
  };
  const post = (path: string, body: JsonObject): Promise<unknown> =>
    call(server, path, { method: 'POST', body });
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  const metadata = { name: 'web' };
  await post(scalers, {
    ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata },
    spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 3 },
  });
  await vi.waitFor(async () => expect(await conditions()).toEqual(['AbleToScale FailedGetScale']));
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'main' }] } };
  await post(apps, {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata },
    spec: { replicas: 9, selector: { matchLabels: labels }, template },
  });
  await vi.waitFor(async () =>
    expect(await conditions()).toEqual([
      'AbleToScale SucceededRescale',
      'ScalingActive FailedGetResourceMetric',
    ]),
  );
  const { body } = await call(server, `${apps}/web`);
  expect(at(body, 'spec', 'replicas')).toBe(3);
  await server.stop();
});
