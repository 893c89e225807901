/**
 * Tests of clients for resources that are named at run time, on any server. Each test has a namespace of its
 * own.
 */
import { expect, it } from 'vitest';
import { deadline } from '../support/cluster-tests.ts';
import type { Env } from './env.ts';
import { customSample, metadataTests } from './metadata.ts';
import { customObjectTests } from './objects.ts';
import { customScaleTests } from './scale.ts';

export const timeout = 180_000;

/** Registers the tests that every server passes. */
export function everywhere(env: () => Env): void {
  customObjectTests(env);
  metadataTests(env, customSample);
  customScaleTests(env);
}

/** Registers a test of closed connections, which must be the last of a file. */
export function connectionsAreClosed(): void {
  it('leave no connection open', async () => {
    await expect.poll(openConnections, deadline).toEqual([]);
  });
}

function openConnections(): readonly string[] {
  return process.getActiveResourcesInfo().filter((resource) => /^(TCP|TLS)/.test(resource));
}
