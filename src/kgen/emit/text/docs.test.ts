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
    { of: 'a link', paragraphs: ['{@link foo}'], tags: [], want: '/** {\\@link foo} */\n' },
    { of: 'an address', paragraphs: ['mail a@b.c'], tags: [], want: '/** mail a@b.c */\n' },
    { of: 'carriage returns', paragraphs: ['a\r\nb\rc'], tags: [], want: '/**\n * a\n * b\n * c\n */\n' },
    { of: 'line separators', paragraphs: ['a\u2028b'], tags: [], want: '/**\n * a\n * b\n */\n' },
    { of: 'control characters', paragraphs: ['a\u0000\u001b[31mb\u202e'], tags: [], want: '/** a[31mb */\n' },
    { of: 'an end split by a control character', paragraphs: ['*\u0000/'], tags: [], want: '/** *\\/ */\n' },
    {
      of: 'invisible characters',
      paragraphs: ['a\u202e\u2066b\u200b\u2060\u00ad\u{e0041}c', '*\u200b/'],
      tags: [{ name: 'default', text: '"\ufeffx\u2069"' }],
      want: '/**\n * abc\n *\n * *\\/\n *\n * @default "x"\n */\n',
    },
    {
      of: 'pictures made of several',
      paragraphs: ['👩\u200d🚀 \u2764\ufe0f'],
      tags: [],
      want: '/** 👩\u200d🚀 \u2764\ufe0f */\n',
    },
    {
      of: 'indented code',
      paragraphs: ['x:\n\n    y: 1\n\n\nz'],
      tags: [],
      want: '/**\n * x:\n *\n *     y: 1\n *\n * z\n */\n',
    },
  ])('prints $of', ({ paragraphs, tags, want }) => {
    expect(comment(paragraphs, tags, '')).toBe(want);
  });

  it('breaks long lines at spaces and keeps every word', () => {
    const lines = comment([long], [], '  ').split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(110);
    expect(lines.join(' ').match(/word/g)).toHaveLength(40);
  });

  it('keeps text after a line break in its list item and indentation', () => {
    const text = `Either:\n- ${long}\n  1. ${long}\n    ${long}\nor not.`;
    const lines = comment([text], [], '').trim().split('\n').slice(1, -1);
    const starts = lines.map((line) => line.slice(3).replace(/word.*/, ''));
    const [bullet, number, deep] = ['- ', '  1. ', '    '];
    expect(starts).toEqual(['Either:', bullet, '  ', number, '     ', deep, '    ', 'or not.']);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(110);
  });

  it('keeps fenced code unchanged', () => {
    const text = `Such as:\n\`\`\`yaml\nkey: ${long}\n\n  - ${long}\n\`\`\`\n${long}`;
    const lines = comment([text], [], '').split('\n');
    expect(lines).toContain(` * key: ${long}`);
    expect(lines).toContain(` *   - ${long}`);
    expect(lines).not.toContain(` * ${long}`);
  });

  it('closes a code fence that is not closed', () => {
    expect(comment(['~~~\n```', 'Text.'], [], '')).toBe('/**\n * ~~~\n * ```\n * ~~~\n *\n * Text.\n */\n');
  });

  it('prints descriptions of many lines', () => {
    const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index}`);
    const text = comment([lines.join('\n')], [{ name: 'default', text: lines.join(' ') }], '');
    expect(text).toContain('line 199999\n');
  });

  it('keeps a label and its address together', () => {
    const line = `Reference: https://example.com/${'a'.repeat(100)}`;
    expect(comment(['Short.', line], [], '')).toContain(`\n * ${line}\n`);
  });

  it('keeps a word that is longer than a line', () => {
    const address = `https://example.com/${'a'.repeat(200)}`;
    expect(comment([`see ${address} there`], [], '')).toContain(address);
  });
});
