import { expect, test } from 'vitest';
import { suggestionsAt } from './completion.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const schemas = {
  Cart: {
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { allOf: [ref('Meta')], description: 'Metadata.' },
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer', description: 'Number.' },
          isOpen: { type: 'boolean' },
          mode: { type: 'string', enum: ['fast', 'slow'] },
          items: { type: 'array', items: ref('Item') },
          byName: { type: 'object', additionalProperties: ref('Item') },
        },
      },
    },
  },
  Meta: { type: 'object', properties: { name: { type: 'string' }, labels: { type: 'object' } } },
  Item: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      parts: { type: 'array', items: ref('Meta') },
      constructor: { type: 'string' },
    },
  },
};
const document = { root: 'Cart', schemas };

/** `|` is the position. */
test.each<readonly [text: string, labels: readonly string[] | undefined]>([
  ['|', ['apiVersion', 'kind', 'metadata', 'spec']],
  ['kind: Cart\nme|\nspec:\n  size: 1', ['apiVersion', 'metadata']],
  ['spec:\n  |', ['size', 'isOpen', 'mode', 'items', 'byName']],
  ['spec:\n  size: 1\n  # none\n\n  |\n  mode: fast\nkind: Cart', ['isOpen', 'items', 'byName']],
  ['metadata:\n  |', ['name', 'labels']],
  ['spec:\n  isOpen: |', ['true', 'false']],
  ['spec:\n  mode: f|', ['fast', 'slow']],
  ['spec:\n  size: 1|', []],
  ['spec:\n  items:\n    - |', ['name', 'parts', 'constructor']],
  ['spec:\n  items:\n    - name: a\n      |', ['parts', 'constructor']],
  ['spec:\n  items:\n  - name: a\n  - |', ['name', 'parts', 'constructor']],
  ['spec:\n  items:\n  - name: a\n    parts:\n    - name: x\n      |', ['labels']],
  ['spec:\n  items:\n  - name: a\n    parts:\n    - name: x\n    |', ['constructor']],
  ['spec:\n  items:\n  - name: a\n  |', ['size', 'isOpen', 'mode', 'byName']],
  ['spec:\n  byName:\n    any:\n      |', ['name', 'parts', 'constructor']],
  ['spec:\n  unknown:\n    |', []],
  ['kind: A\n---\n|', ['apiVersion', 'kind', 'metadata', 'spec']],
  ['spec:\n  "size": 1 # |', undefined],
])('%j', (marked, labels) => {
  const position = marked.indexOf('|');
  const found = suggestionsAt(marked.replace('|', ''), position, document);
  expect(found?.options.map(({ label }) => label)).toEqual(labels);
});

test('fields have their types, descriptions and the indentation of their content', () => {
  const { from, options } = suggestionsAt('spec:\n  it', 10, document) ?? { from: 0, options: [] };
  expect(from).toBe(8);
  expect(options.find(({ label }) => label === 'items')).toEqual({
    ...{ label: 'items', detail: 'array', info: '', text: 'items:\n    - ' },
  });
  expect(options.find(({ label }) => label === 'size')?.info).toBe('Number.');
});
