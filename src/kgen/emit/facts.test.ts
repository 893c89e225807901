import { describe, expect, it } from 'vitest';
import {
  declaration,
  groupVersion,
  model,
  namedType,
  printed,
  property,
  resource,
  text,
} from './emit.fixture.ts';

describe('comments', () => {
  const facts = {
    description: 'Prose.',
    deprecated: 'Use another.',
    default: '1',
    immutable: true,
    rules: [
      { name: 'patchMergeKey', value: '"name"' },
      { name: 'cel', value: 'self == 1', message: 'more prose' },
    ],
  } as const;
  const type = namedType('Foo', {
    facts: { description: 'About Foo.', rules: [] },
    reference: 'https://example.com/foo',
    properties: [property('a', { ...text, facts })],
  });
  const foos = resource('Foo', {
    deprecated: 'Foo goes away.',
    printerColumns: [{ name: 'Age', type: 'date', description: 'Since when.' }],
  });
  const all = model(groupVersion('apps', 'v1', { types: [type], resources: [foos] }));

  it.each([
    {
      docs: 'full',
      want: '/** * About Foo. * * Reference: https://example.com/foo */ export interface Foo { /** * Prose. * * @default 1 * @patchMergeKey name * @validation self == 1 (more prose) * @immutable * @deprecated Use another. */ a?: string; }',
    },
    {
      docs: 'facts',
      want: '/** Reference: https://example.com/foo */ export interface Foo { /** * @default 1 * @patchMergeKey name * @validation self == 1 * @immutable * @deprecated */ a?: string; }',
    },
    { docs: 'none', want: 'export interface Foo { /** @deprecated Use another. */ a?: string; }' },
  ] as const)('hold what $docs allows', ({ docs, want }) => {
    const file = printed(all, { docs })('apps/v1/types.ts');
    expect(declaration(file.slice(file.indexOf('\n\n')), docs === 'none' ? 'export' : '/**')).toBe(want);
  });

  it.each([
    { docs: 'full', prose: true },
    { docs: 'facts', prose: false },
  ] as const)('of clients hold sentences of the author in $docs: $prose', ({ docs, prose }) => {
    const file = printed(all, { docs })('apps/v1/index.ts');
    expect(file.includes('Foo goes away.')).toBe(prose);
    expect(file.includes('Since when.')).toBe(prose);
    expect(file).toContain('@deprecated');
  });
});
