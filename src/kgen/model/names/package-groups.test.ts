import { expect, test } from 'vitest';
import { definitionOf } from '../api.fixture.ts';
import { homesOf } from './package-groups.ts';

test.each([
  ['com.example.v1', 'com-example-v1'],
  ['', 'unnamed'],
  ['X'.repeat(60), `${'x'.repeat(50)}-`],
  ['_', 'package-'],
])('the version of the unknown package %j starts with %j', (name, version) => {
  const { position } = definitionOf('x', {});
  const full = name === '' ? 'Kind' : `${name}.Kind`;
  const [home] = homesOf([{ name: full, schema: {}, kinds: [], position }]).values();
  expect(home?.group).toBe('definitions');
  const length = version.endsWith('-') ? version.length + 6 : version.length;
  expect([home?.version.slice(0, version.length), home?.version.length]).toEqual([version, length]);
});
