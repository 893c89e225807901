import { describe, expect, it } from 'vitest';
import {
  declaration,
  groupVersion,
  model,
  namedType,
  printed,
  property,
  resource,
  schema,
  text,
} from '../emit.fixture.ts';
import { comment } from './docs.ts';
import { factsComment } from './facts-comment.ts';

describe('comments', () => {
  const facts = {
    description: 'Prose.',
    deprecated: 'Use another.',
    immutable: true,
    keywords: {
      default: 1,
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-validations': [{ rule: 'self == 1', message: 'more prose' }],
    },
  } as const;
  const type = namedType('Foo', {
    facts: { description: 'About Foo.', keywords: {} },
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
      want: '/** * About Foo. * * Reference: https://example.com/foo */ export interface Foo { /** * Prose. * * @default 1 * @patchMergeKey name * @validate self == 1 -- more prose * @immutable * @deprecated Use another. */ a?: string | undefined; }',
    },
    {
      docs: 'facts',
      want: '/** Reference: https://example.com/foo */ export interface Foo { /** * @default 1 * @patchMergeKey name * @validate self == 1 * @immutable * @deprecated */ a?: string | undefined; }',
    },
    {
      docs: 'none',
      want: 'export interface Foo { /** @deprecated Use another. */ a?: string | undefined; }',
    },
  ] as const)('contain the parts that $docs allows', ({ docs, want }) => {
    const file = printed(all, { docs })('apps/v1/types.ts');
    expect(declaration(file.slice(file.indexOf('\n\n')), docs === 'none' ? 'export' : '/**')).toBe(want);
  });

  it.each([
    { description: 'Deprecated: Use another.', deprecated: 'Use another.' },
    { description: '**DEPRECATED** - Use another.\n', deprecated: 'Use another.' },
    { description: 'Deprecated', deprecated: '' },
  ])(
    'contain a sentence once if it is the whole description: $description',
    ({ description, deprecated }) => {
      const note = comment([], [{ name: 'deprecated', text: deprecated }], '');
      expect(factsComment({ description, deprecated, keywords: {} }, '', 'full', { tags: () => [] })).toBe(
        note,
      );
    },
  );

  it.each([
    { description: 'Prose. Deprecated: Use another.', deprecated: 'Use another.' },
    { description: 'Deprecated: Use another.\n\nProse.', deprecated: 'Use another.' },
    { description: 'Prose.', deprecated: '' },
    { description: `deprecated${' '.repeat(100_000)}x`, deprecated: '' },
  ])('keep a description that is longer than its note', ({ description, deprecated }) => {
    const text = comment([description], [{ name: 'deprecated', text: deprecated }], '');
    expect(factsComment({ description, deprecated, keywords: {} }, '', 'full', { tags: () => [] })).toBe(
      text,
    );
  });

  const bytes = schema({ shape: 'string' }, { keywords: { format: 'byte' } });
  it('of a property contain the tags of its parts', () => {
    const holder = namedType('Foo', {
      properties: [property('data', schema({ shape: 'map', values: bytes }))],
    });
    const file = printed(model(groupVersion('apps', 'v1', { types: [holder] })))('apps/v1/types.ts');
    expect(file).toContain(
      '  /** @format byte (values) */\n  data?: { [key: string]: string } | undefined;\n',
    );
  });

  it.each([
    { docs: 'full', prose: true },
    { docs: 'facts', prose: false },
  ] as const)('of clients contain descriptions with $docs: $prose', ({ docs, prose }) => {
    const file = printed(all, { docs })('apps/v1/index.ts');
    expect(file.includes('Foo goes away.')).toBe(prose);
    expect(file.includes('Since when.')).toBe(prose);
    expect(file).toContain('@deprecated');
  });
});
