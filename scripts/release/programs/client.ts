// Uses a generated client.
import { loadConfig } from '@kgen/runtime';
import { Clientset } from './GENERATED';

const clientset = new Clientset(await loadConfig());
const clusters = clientset.cacheV1.redisClusters('shop');
const name = `carts-${process.pid}`;
await clusters.create({ metadata: { name }, spec: { version: '7.4' } });
const { spec } = await clusters.get(name);
if (spec.version !== '7.4') throw new Error(`the version is ${spec.version}`);
await clusters.delete(name);
await clientset.close();
