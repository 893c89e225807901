/**
 * Runs the operator of MyApps on an API server in memory, and shows the effects; then runs an operator with a
 * bug under schedules of faults, and prints what happened with the first one with which it fails.
 */
import { deployments } from '@kgen/kubernetes/apps/v1';
import { pods, services } from '@kgen/kubernetes/core/v1';
import { InformerFactory, type KubernetesObject, RESTClient, resource } from '@kgen/runtime';
import { findCondition } from '@kgen/runtime/objects';
import { SimulationError, simulate } from '@kgen/testing';
import { startTestServer } from '@kgen/testserver';
import { myApps } from '../../generated/crds/my.domain/v1/index.js';
import { operator as myAppOperator } from '../operators/myapp/src/operator.js';
import { brokenOperator } from './broken-operator.js';
import { Scene } from './scene.js';

const crds = [new URL('../../../../crds/myapp.yaml', import.meta.url)];
const scene = new Scene(process.stdout);

// Pods are ready after half a second, so that the rollout can be watched.
const server = await startTestServer({ crds, pods: [{ startAfterMs: 300, readyAfterMs: 200 }] });
const rest = new RESTClient(server.config);
const apps = resource(rest, myApps).in('default');
const managed = resource(rest, deployments).in('default');

const informers = new InformerFactory({ rest }, { namespace: 'default' });
show('MyApp', informers.of(myApps), ({ status }) => {
  const ready = findCondition(status?.conditions, 'Ready');
  return ready === undefined ? 'new' : `Ready=${ready.status} (${ready.reason})`;
});
show('Deployment', informers.of(deployments), ({ spec, status }) => {
  const image = spec.template.spec?.containers[0]?.image;
  return `${status.readyReplicas ?? 0} of ${spec.replicas} ready, image ${image}`;
});
show('Service', informers.of(services), ({ spec }) => `cluster IP ${spec?.clusterIP}`, 'kubernetes');
show('Pod', informers.of(pods), ({ status }) => status.phase ?? 'Pending');
informers.start();
await informers.waitForSync();

const stop = new AbortController();
// Without endpoints, and without a log between the lines of the table.
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const operator = myAppOperator(server.config, { metrics: undefined, health: undefined, log: quiet });
const running = operator.run({ signal: stop.signal });

scene.print('A user creates a MyApp with the image nginx:1.29, and scales its Deployment to 3.');
await apps.create({ metadata: { name: 'web' }, spec: { appName: 'nginx', version: '1.29' } });
await managed.waitFor('web', (deployment) => deployment !== undefined);
await managed.patchScale('web', { spec: { replicas: 3 } });
await isReady(3);

scene.print('A user sets the image of the Deployment to httpd: the operator repairs it.');
const containers = [{ name: 'app', image: 'httpd' }];
await managed.patch('web', { spec: { template: { spec: { containers } } } });
await managed.waitFor('web', (found) => found?.spec.template.spec?.containers[0]?.image === 'nginx:1.29');
await isReady(3);

scene.print('A user deletes the Deployment: the operator creates it again.');
await managed.deleteAndWait('web');
await isReady(1);

scene.print('The user deletes the MyApp: everything that it owned is deleted.');
await apps.deleteAndWait('web');
const { items } = await resource(rest, pods).in('default').list();
for (const { metadata } of items) await resource(rest, pods).in('default').waitFor(metadata.name, isGone);

stop.abort();
await running;
await informers.stop();
await rest.close();
await server.stop();

console.log(
  '\nNow an operator with a bug (examples/demo/broken-operator.ts), under up to 200 schedules of faults:',
);
try {
  await simulate(brokenOperator, { crds, seeds: 200, without: ['tamper'] });
} catch (error) {
  if (!(error instanceof SimulationError)) throw error;
  console.log(`\n${error.message}`);
}

/** Shows all objects of an informer. */
function show<T extends KubernetesObject>(
  kind: string,
  informer: {
    handle(handler: { add(object: T): void; update(object: T): void; delete(object: T): void }): unknown;
  },
  stateOf: (object: T) => string,
  hidden?: string,
): void {
  const draw = (object: T, state: string | undefined): void => {
    const { name = '' } = object.metadata ?? {};
    if (name !== hidden) scene.show(kind, name, state);
  };
  informer.handle({
    add: (object) => draw(object, stateOf(object)),
    update: (object) => draw(object, stateOf(object)),
    delete: (object) => draw(object, undefined),
  });
}

function isGone(object: unknown): boolean {
  return object === undefined;
}

/** Waits until the MyApp is ready, and its Deployment has a number of ready replicas. */
async function isReady(replicas: number): Promise<void> {
  await managed.waitFor('web', (deployment) => deployment?.status.readyReplicas === replicas);
  await apps.waitFor('web', (app) => {
    const { readyReplicas, conditions } = app?.status ?? {};
    return readyReplicas === replicas && findCondition(conditions, 'Ready')?.status === 'True';
  });
}
