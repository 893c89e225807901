import { expect, it } from 'vitest';
import { defaultEmitOptions } from '../options.ts';
import { folder, protobufSpecifier, runtimeSpecifier } from './paths.ts';

it.each([
  ['', 'v1', 'core/v1'],
  ['core', 'v1', '_core/v1'],
  ['core.example.com', 'v1', 'core.example.com/v1'],
  ['apps', 'v1', 'apps/v1'],
  ['networking.k8s.io', 'v1', 'networking.k8s.io/v1'],
  ['index.ts', 'v1', '_index.ts/v1'],
  ['clientset.js', 'v1', '_clientset.js/v1'],
  ['protobuf.ts', 'v1', '_protobuf.ts/v1'],
  ['protobuf.d.ts', 'v1', '_protobuf.d.ts/v1'],
  ['protobuf.dev', 'v1', 'protobuf.dev/v1'],
  ['package.json', 'v1', '_package.json/v1'],
  ['kgen.lock.json', 'v1', '_kgen.lock.json/v1'],
  ['con.example.com', 'v1', '_con.example.com/v1'],
  ['console.example.com', 'v1', 'console.example.com/v1'],
])('returns the path of %j %s: %s', (group, version, want) => {
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

it.each([
  ['@kgen/runtime/gen/v1', 2, '@kgen/runtime/gen/v1/protobuf'],
  ['@mine/runtime', 2, '@mine/runtime/protobuf'],
  ['@mine/runtime.js', 0, '@mine/runtime.js/protobuf'],
  ['runtime.js', 0, 'runtime.js/protobuf'],
  ['#runtime', 2, '#runtime/protobuf'],
  ['#runtime.js', 2, '#runtime/protobuf.js'],
  ['mine/dist/runtime.js', 2, 'mine/dist/runtime/protobuf.js'],
  ['./runtime', 0, './runtime/protobuf'],
  ['./runtime.js', 0, './runtime/protobuf.js'],
  ['./runtime.mts', 2, '../../runtime/protobuf.mts'],
])('beside %s, from depth %d, imports codecs from %s', (runtimeImport, depth, want) => {
  expect(protobufSpecifier({ ...defaultEmitOptions, version: '0', runtimeImport }, depth)).toBe(want);
});
