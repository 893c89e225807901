/** Random sequences of requests on the server in memory leave it in a consistent state. */
import { startTestServer } from '@kgen/testserver';
import { expect, test } from 'vitest';
import { seedsOf } from '../support/seeds.ts';
import { definitions } from './custom-kinds.ts';
import { Invariants } from './invariants.ts';
import { sequenceOf } from './operations.ts';
import { memoryPort } from './port.ts';
import { printStep } from './step.ts';

test('random sequences keep versions, watches, managers and snapshots consistent', {
  timeout: 300_000,
}, async () => {
  const server = await startTestServer({
    controllers: false,
    time: 'virtual',
    seed: 1,
    crds: definitions.map((definition) => ({ yaml: JSON.stringify(definition) })),
  });
  try {
    const invariants = new Invariants(memoryPort(server), server);
    for (const seed of seedsOf({ all: 1_000, few: 50 })) {
      const steps = sequenceOf(seed);
      const mistakes = await invariants.play(steps, `seq-${seed}`);
      expect(mistakes, `KGEN_SEED=${seed}\n${steps.map(printStep).join('\n')}`).toEqual([]);
    }
  } finally {
    await server.stop();
  }
});
