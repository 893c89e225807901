/** Clients for resources that are named at run time. Each test works in a namespace of its own. */
import { controlPlaneAvailability, startControlPlane, startTestServer } from '@kgen/testing';
import { describe, expect, it } from 'vitest';
import { deadline } from '../e2e/env.ts';
import { type Env, useServer } from './env.ts';
import { builtInSample, customSample, metadataTests } from './metadata.ts';
import { customObjectTests, objectTests } from './objects.ts';
import { customScaleTests, scaleTests } from './scale.ts';
import { tableTests } from './tables.ts';

const timeout = 180_000;

function everywhere(env: () => Env): void {
  customObjectTests(env);
  metadataTests(env, customSample);
  customScaleTests(env);
}

describe('resources that are named at run time, in memory', { timeout }, () => {
  everywhere(useServer(startTestServer));
});

const availability = controlPlaneAvailability();

if (availability.available || process.env['KGEN_NOTHING_SKIPPED']) {
  describe('resources that are named at run time, on a real API server', { timeout }, () => {
    const env = useServer(startControlPlane);
    everywhere(env);
    objectTests(env);
    metadataTests(env, builtInSample);
    scaleTests(env);
    tableTests(env);
  });
} else {
  describe.skip(`resources that are named at run time, on a real API server: ${availability.reason}`, () => {
    it('require one', () => undefined);
  });
}

it('leave no connection open', async () => {
  await expect.poll(openConnections, deadline).toEqual([]);
});

function openConnections(): readonly string[] {
  return process.getActiveResourcesInfo().filter((resource) => /^(TCP|TLS)/.test(resource));
}
