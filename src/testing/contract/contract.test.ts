import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ControlPlane,
  controlPlaneAvailability,
  startControlPlane,
} from '../controlplane/controlplane.ts';
import { startTestServer } from '../server/testserver.ts';
import { isObject, type Json, type JsonObject } from '../values/json.ts';
import { play, type Step } from './exchange.fixture.ts';

const availability = controlPlaneAvailability();
if (!availability.available) console.log(`contract with a real API server: skipped, ${availability.reason}`);

function stepsOf(name: string): readonly Step[] {
  // The tables are part of this project.
  return JSON.parse(
    readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'),
  ) as readonly Step[];
}

describe.skipIf(!availability.available)('the responses equal those of a real API server', () => {
  const servers: { real?: ControlPlane } = {};

  beforeAll(async () => {
    servers.real = await startControlPlane();
  });

  afterAll(async () => {
    await servers.real?.stop();
  });

  test.each(['writes', 'reads', 'apply'])('%s', { timeout: 120_000 }, async (name) => {
    const steps = stepsOf(name);
    const memory = await startTestServer();
    try {
      const [given, want] = await Promise.all([
        play(memory.config, steps),
        servers.real === undefined ? [] : play(servers.real.config, steps),
      ]);
      for (const [index, step] of steps.entries()) {
        const label = `${index}: ${step.method} ${step.path} ${JSON.stringify(step.body ?? '')}`;
        expect.soft({ label, ...toObject(given[index]) }).toEqual({ label, ...toObject(want[index]) });
      }
    } finally {
      await memory.stop();
    }
  });
});

function toObject(answer: Json | undefined): JsonObject {
  return isObject(answer) ? answer : {};
}
