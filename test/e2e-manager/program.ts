/** A program with a manager and a controller of ConfigMaps. */
import { writeSync } from 'node:fs';
import { Controller, Manager } from '@kgen/controller';
import { Clientset, InformerFactory } from '@kgen/kubernetes';
import { machineNow } from '../support/machine-clock.ts';
import { type ProgramArguments, type ProgramEvent, triggerName, writtenName } from './protocol.ts';

/** Pause between two writes, in milliseconds. */
const pauseMs = 20;

// The test passes these arguments.
const { config, namespace, mode, options } = JSON.parse(process.argv[2] ?? '') as ProgramArguments;
const manager = new Manager(config, options);
const clientset = manager.client(Clientset);
const informers = new InformerFactory(clientset, { namespace });
const maps = clientset.coreV1.configMaps(namespace);

/** Prints an event at once. */
function print(event: ProgramEvent): void {
  writeSync(1, `${JSON.stringify(event)}\n`);
}

manager.add(
  new Controller({
    name: 'maps',
    for: informers.coreV1.configMaps(),
    client: clientset,
    reconcile: async ({ metadata }) => {
      if (metadata.name !== triggerName) return undefined;
      const at = machineNow();
      print({ type: 'reconcile', at });
      if (mode === 'stuck') return new Promise(() => undefined);
      if (mode === 'same') {
        await maps.apply(
          { metadata: { name: writtenName }, data: { state: 'same' } },
          { fieldManager: 'maps' },
        );
        return undefined;
      }
      await maps.patch(writtenName, { data: { writer: String(process.pid), at: String(at) } });
      print({ type: 'write', at, end: machineNow() });
      return { requeueAfterMs: pauseMs };
    },
  }),
);
await manager.run();
