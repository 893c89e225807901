import { expect, it } from 'vitest';
import { defaultEmitOptions } from './options.ts';
import { folder, runtimeSpecifier } from './paths.ts';

it.each([
  ['', 'v1', 'core/v1'],
  ['core', 'v1', '_core/v1'],
  ['core.example.com', 'v1', 'core.example.com/v1'],
  ['apps', 'v1', 'apps/v1'],
  ['networking.k8s.io', 'v1', 'networking.k8s.io/v1'],
  ['index.ts', 'v1', '_index.ts/v1'],
  ['clientset.js', 'v1', '_clientset.js/v1'],
  ['package.json', 'v1', '_package.json/v1'],
  ['kgen.lock.json', 'v1', '_kgen.lock.json/v1'],
  ['con.example.com', 'v1', '_con.example.com/v1'],
  ['console.example.com', 'v1', 'console.example.com/v1'],
])('%j %s is in %s', (group, version, want) => {
  expect(folder({ group, version })).toBe(want);
});

it.each([
  ['@kgen/runtime/gen/v1', 2, '@kgen/runtime/gen/v1'],
  ['./runtime.js', 0, './runtime.js'],
  ['./runtime.js', 2, '../../runtime.js'],
  ['../runtime/v1.js', 2, '../../../runtime/v1.js'],
])('%s from depth %d is imported as %s', (runtimeImport, depth, want) => {
  expect(runtimeSpecifier({ ...defaultEmitOptions, version: '0', runtimeImport }, depth)).toBe(want);
});
