import { describe, expect, it } from 'vitest';
import { comment } from './docs.ts';

const long = 'word '.repeat(40).trim();

describe('comment', () => {
  it.each([
    { of: 'nothing', paragraphs: [], tags: [], want: '' },
    { of: 'an empty text', paragraphs: [' \n '], tags: [], want: '' },
    { of: 'one line', paragraphs: ['Short.'], tags: [], want: '/** Short. */\n' },
    {
      of: 'two paragraphs',
      paragraphs: ['One.', 'Two.'],
      tags: [],
      want: '/**\n * One.\n *\n * Two.\n */\n',
    },
    {
      of: 'a tag',
      paragraphs: [],
      tags: [{ name: 'format', text: 'int32' }],
      want: '/** @format int32 */\n',
    },
    {
      of: 'a tag without text',
      paragraphs: [],
      tags: [{ name: 'deprecated', text: '' }],
      want: '/** @deprecated */\n',
    },
    {
      of: 'a tag whose text has several lines',
      paragraphs: [],
      tags: [{ name: 'default', text: '"a"\n  "b"' }],
      want: '/** @default "a" "b" */\n',
    },
    {
      of: 'a tag whose text has empty lines',
      paragraphs: [],
      tags: [{ name: 'pattern', text: ' a\n \n\n\tb ' }],
      want: '/** @pattern a b */\n',
    },
    { of: 'an end of comment', paragraphs: ['a */ b'], tags: [], want: '/** a *\\/ b */\n' },
    {
      of: 'an end of comment in a tag',
      paragraphs: [],
      tags: [{ name: 'pattern', text: '*/x' }],
      want: '/** @pattern *\\/x */\n',
    },
    { of: 'an end that escaping could join', paragraphs: ['**//'], tags: [], want: '/** **\\// */\n' },
    {
      of: 'a tag of its own',
      paragraphs: ['@internal is text'],
      tags: [],
      want: '/** \\@internal is text */\n',
    },
    { of: 'a tag in mid-line', paragraphs: ['see @foo'], tags: [], want: '/** see \\@foo */\n' },
    { of: 'an address', paragraphs: ['mail a@b.c'], tags: [], want: '/** mail a@b.c */\n' },
    { of: 'carriage returns', paragraphs: ['a\r\nb\rc'], tags: [], want: '/**\n * a\n * b\n * c\n */\n' },
    { of: 'line separators', paragraphs: ['a\u2028b'], tags: [], want: '/**\n * a\n * b\n */\n' },
    { of: 'control characters', paragraphs: ['a\u0000\u001b[31mb\u202e'], tags: [], want: '/** a[31mb */\n' },
    { of: 'an end split by a control character', paragraphs: ['*\u0000/'], tags: [], want: '/** *\\/ */\n' },
    {
      of: 'indented code',
      paragraphs: ['x:\n\n    y: 1\n\n\nz'],
      tags: [],
      want: '/**\n * x:\n *\n *     y: 1\n *\n * z\n */\n',
    },
  ])('prints $of', ({ paragraphs, tags, want }) => {
    expect(comment(paragraphs, tags, '')).toBe(want);
  });

  it('breaks long lines at spaces and loses no word', () => {
    const lines = comment([long], [], '  ').split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(110);
    expect(lines.join(' ').match(/word/g)).toHaveLength(40);
  });

  it('leaves a word whole that is longer than a line', () => {
    const address = `https://example.com/${'a'.repeat(200)}`;
    expect(comment([`see ${address} there`], [], '')).toContain(address);
  });
});
