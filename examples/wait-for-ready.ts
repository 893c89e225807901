/** Waits for a status condition, for a predicate on one object, and for a state of a collection. */
import { condition, loadConfig, until, untilObjects } from '@kgen/runtime';
import { setCondition } from '@kgen/runtime/objects';
import { Clientset } from '../generated/crds/index.js';

const clientset = new Clientset(await loadConfig());
const apps = clientset.myV1.myApps('default');
const app = await apps.create({ metadata: { name: 'web' }, spec: { appName: 'shop', version: '1.0.0' } });

/** Replaces the controller that would set the condition. */
async function reconcile(): Promise<void> {
  const ready = { type: 'Ready', status: 'True', reason: 'Running', message: 'All replicas run.' } as const;
  const conditions = setCondition(app.status?.conditions, ready);
  await apps.updateStatus({ ...app, status: { conditions } });
}
setTimeout(() => void reconcile(), 100);

// Wait for a condition of `status.conditions`, as `kubectl wait --for=condition=Ready` does.
const ready = await apps.waitFor('web', condition('Ready'), { timeoutMs: 10_000 });
console.log(`MyApp ${ready.metadata.name} is ready at resourceVersion ${ready.metadata.resourceVersion}`);

// Wait for an event of the collection. Existing objects come first, as ADDED.
const { object } = await until(apps, ({ type }) => type === 'ADDED', { timeoutMs: 10_000 });
console.log(`MyApp ${object.metadata.name} exists`);

// Wait until all selected objects are deleted.
setTimeout(() => void apps.delete('web'), 100);
await untilObjects(apps, (objects) => objects.length === 0, { timeoutMs: 10_000 });
console.log('no MyApp is left');
await clientset.close();
