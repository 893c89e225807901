import { expect, test, vi } from 'vitest';
import { typeChanges } from './compare/changes.ts';
import { verifyOutput } from './verify.ts';

const loads = vi.hoisted(() => ({ count: 0 }));
vi.mock('ts-morph', async (load) => {
  loads.count += 1;
  return await load();
});

test('loads ts-morph on demand only', async () => {
  const files = new Map([['index.ts', 'export const a: 1 = 1;\n']]);
  expect(await typeChanges(files, new Map(files))).toEqual([]);
  expect(loads.count).toBe(0);
  const options = {
    folder: '/none',
    emit: 'ts',
    importExtension: '.js',
    runtimeImport: '@kgen/runtime/gen/v1',
    protobufImport: '@kgen/runtime/gen/v1/protobuf',
  } as const;
  expect(await verifyOutput(files, options)).toEqual([]);
  expect(loads.count).toBe(1);
});
