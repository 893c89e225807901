import { describe, expect, it } from 'vitest';
import { Module } from './module.ts';

const door = '@kgen/runtime/gen/v1';

function sample(): Module {
  const module = new Module(door, ['ObjectMeta', 'pods']);
  module.declare(`export interface ObjectMeta {\n  meta: ${module.runtimeType('ObjectMeta')};\n}\n`);
  module.constant({
    docs: '/** Pods. */\n',
    name: 'pods',
    type: module.runtimeType('NamespacedResource'),
    value: `/* @__PURE__ */ ${module.runtimeValue('defineResource')}({\n  group: '',\n})`,
  });
  return module;
}

describe('a module', () => {
  it('prints TypeScript, and renames imports that have the name of a declaration', () => {
    expect(sample().print('// header\n').ts).toBe(`// header
import { defineResource } from '@kgen/runtime/gen/v1';
import type { NamespacedResource, ObjectMeta as RuntimeObjectMeta } from '@kgen/runtime/gen/v1';

export interface ObjectMeta {
  meta: RuntimeObjectMeta;
}

/** Pods. */
export const pods: NamespacedResource = /* @__PURE__ */ defineResource({
  group: '',
});
`);
  });

  it('prints JavaScript without types, and declarations without values', () => {
    const { js, dts } = sample().print('// header\n');
    expect(js).toBe(`// header
import { defineResource } from '@kgen/runtime/gen/v1';

export const pods = /* @__PURE__ */ defineResource({
  group: '',
});
`);
    expect(dts).toContain('export declare const pods: NamespacedResource;\n');
    expect(dts).not.toContain('defineResource');
  });

  it('has no JavaScript if it declares only types', () => {
    const module = new Module(door, ['A']);
    module.declare('export type A = string;\n');
    expect(module.print('').js).toBeUndefined();
  });

  it('returns two local names for two imports of one name, and the same one for one import', () => {
    const module = new Module(door, []);
    expect(module.value('./a.js', 'pods', 'aPods')).toBe('pods');
    expect(module.value('./b.js', 'pods', 'bPods')).toBe('bPods');
    expect(module.value('./c.js', 'pods', 'bPods')).toBe('bPods2');
    expect(module.value('./a.js', 'pods', 'aPods')).toBe('pods');
  });

  it('breaks a constant whose declaration fills the line', () => {
    const module = new Module(door, []);
    const name = 'n'.repeat(60);
    module.constant({ docs: '', name, type: 't'.repeat(33), value: 'make({\n  a: 1,\n})' });
    expect(module.print('').ts).toBe(
      `\nexport const ${name}: ${'t'.repeat(33)} =\n  make({\n    a: 1,\n  });\n`,
    );
  });

  it('imports base classes as values into declarations', () => {
    const module = new Module(door, ['Clientset']);
    module.class({
      docs: '',
      name: 'Clientset',
      base: module.runtimeValue('ClientsetBase'),
      parameters: [{ name: 'connection', type: module.runtimeType('ClientConnection'), optional: false }],
      fields: [
        { docs: '  /** Core. */\n', name: 'coreV1', type: 'CoreV1Client', value: 'client(this.rest)' },
      ],
    });
    const { ts, dts, js } = module.print('');
    expect(ts).toContain(
      '  constructor(connection: ClientConnection) {\n    super(connection);\n    this.coreV1 = client(this.rest);\n  }\n',
    );
    expect(dts).toContain("import { ClientsetBase } from '@kgen/runtime/gen/v1';\n");
    expect(dts).toContain(
      '  readonly coreV1: CoreV1Client;\n  constructor(connection: ClientConnection);\n}\n',
    );
    expect(js).toContain('  coreV1;\n\n  constructor(connection) {\n');
  });
});
