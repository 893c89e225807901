import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESTClient } from '@kgen/runtime';
import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { corpus } from '../support/emitted.ts';
import { type Call, callAll, callPaths } from './calls.ts';
import { compare, type Findings, nothing } from './coverage.ts';
import { fromCluster, isPackagedVersion } from './from-cluster.ts';
import { type Operation, operationsOf } from './operations.ts';
import { outputApiOf } from './output-api.ts';
import { fromOpenApi, kubernetes, modulesOf, writeFiles } from './outputs.ts';
import { documentsOf, isPublished, patience } from './server-documents.ts';

/**
 * Returns the requests of the output's clients, and those of `RESTClient` for paths that are not resources.
 */
async function callsOf(folder: string, operations: ReadonlyMap<string, Operation>): Promise<readonly Call[]> {
  const noResources = [...operations.values()].filter(({ action }) => action === '');
  return [...(await callAll(outputApiOf(folder), modulesOf(folder))), ...(await callPaths(noResources))];
}

interface Compared {
  readonly operations: number;
  readonly calls: number;
  readonly findings: Findings;
}

async function published(): Promise<Compared> {
  const file = join(corpus ?? '', 'openapi/kubernetes-v2.json');
  const output = writeFiles((await fromOpenApi([file])).files);
  try {
    return await compared(output.folder, operationsOf([JSON.parse(readFileSync(file, 'utf8'))]));
  } finally {
    output.dispose();
  }
}

/**
 * Returns `@kgen/kubernetes` if the server has its version, otherwise the output that kgen generates from the
 * server.
 */
async function live(): Promise<Compared> {
  const plane = await startControlPlane({ apiServerFlags: ['--runtime-config=api/all=true'] });
  const rest = new RESTClient(plane.config);
  try {
    await vi.waitFor(async () => expect(await isPublished(rest)).toBe(true), patience);
    const operations = operationsOf(await documentsOf(rest));
    if (await isPackagedVersion(rest)) return await compared(kubernetes, operations);
    const output = writeFiles((await fromCluster(plane.config)).files);
    try {
      return await compared(output.folder, operations);
    } finally {
      output.dispose();
    }
  } finally {
    await rest.close();
    await plane.stop();
  }
}

async function compared(folder: string, operations: ReadonlyMap<string, Operation>): Promise<Compared> {
  const calls = await callsOf(folder, operations);
  return { operations: operations.size, calls: calls.length, findings: compare(operations, calls) };
}

const nothingSkipped = process.env['KGEN_NOTHING_SKIPPED'] !== undefined;
const canStart = nothingSkipped || controlPlaneAvailability().available;

describe.each([
  ['clients from the published document, against it', corpus !== undefined, published],
  ['clients of a real server, @kgen/kubernetes for its version, against its documents', canStart, live],
] as const)('%s', (_, runs, load) => {
  describe.skipIf(!runs)('has one method per operation and one operation per method', () => {
    let found: Compared | undefined;
    beforeAll(async () => {
      found = await load();
    });

    test('compares many operations', () => {
      expect(found?.operations).toBeGreaterThan(1000);
      expect(found?.calls).toBeGreaterThan(2500);
    });

    test.each(Object.keys(nothing))('has no differences: %s', (name) => {
      expect(Reflect.get(found?.findings ?? {}, name)).toEqual([]);
    });
  });
});
