/** One replica of a ring, which writes each of its ConfigMaps again and again. */
import { writeSync } from 'node:fs';
import { Controller, Manager } from '@kgen/controller';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { InformerFactory } from '@kgen/runtime';
import { machineNow } from '../support/machine-clock.ts';
import type { ReplicaArguments, ReplicaEvent } from './protocol.ts';

/** Pause between two writes of a key, in milliseconds. */
const pauseMs = 1000;

// The test passes these arguments.
const { config, namespace, ...options } = JSON.parse(process.argv[2] ?? '') as ReplicaArguments;
const silent = (): void => undefined;
const manager = new Manager(config, {
  sharding: { ...options, name: 'ring', namespace },
  gracePeriodMs: 10_000,
  log: { debug: silent, info: silent, warn: silent, error: silent },
});
const informers = new InformerFactory(manager, { namespace, labelSelector: { written: 'true' } });

function print(event: ReplicaEvent): void {
  writeSync(1, `${JSON.stringify(event)}\n`);
}

manager.add(
  new Controller({
    name: 'writer',
    for: informers.of(configMaps, { shard: manager.shard() }),
    concurrency: 8,
    reconcile: async ({ metadata: { name } }) => {
      const at = machineNow();
      await manager.rest.patch('/api/v1/namespaces/{namespace}/configmaps/{name}', {
        path: { namespace, name },
        body: { data: { identity: options.identity, at: String(at) } },
        contentType: 'application/merge-patch+json',
      });
      print({ type: 'write', key: name, at, end: machineNow() });
      return { requeueAfterMs: pauseMs };
    },
  }),
);
await manager.run();
print({ type: 'stopped', at: machineNow() });
process.exit();
