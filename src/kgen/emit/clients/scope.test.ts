import { expect, test } from 'vitest';
import { groupVersion, resource } from '../emit.fixture.ts';
import { defaultEmitOptions } from '../options.ts';
import { hasCodec, type Output } from './scope.ts';

const output: Output = {
  options: { ...defaultEmitOptions, version: '0.0.0' },
  folders: new Map(),
  encoded: new Set(['apps/v1/Deployment']),
  described: new Set(),
};

test.each([
  { name: 'a kind that has one', group: 'apps', kind: 'Deployment', builtIn: true, want: true },
  {
    name: 'a custom resource that has its name',
    group: 'apps',
    kind: 'Deployment',
    builtIn: false,
    want: false,
  },
  { name: 'the same name elsewhere', group: 'batch', kind: 'Deployment', builtIn: true, want: false },
  { name: 'another kind', group: 'apps', kind: '__proto__', builtIn: true, want: false },
])('a codec: $name', ({ group, kind, builtIn, want }) => {
  expect(hasCodec(output, groupVersion(group, 'v1'), resource(kind, { builtIn }))).toBe(want);
});
