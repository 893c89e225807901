import { describe, expect, it } from 'vitest';
import type { Table } from './table.ts';
import { type TableTextOptions, tableText } from './table-text.ts';

function table(columns: readonly string[], ...rows: readonly (readonly unknown[])[]): Table {
  return {
    apiVersion: 'meta.k8s.io/v1',
    kind: 'Table',
    metadata: {},
    // An asterisk marks a column with a lower priority.
    columnDefinitions: columns.map((name) => ({
      name: name.replace('*', ''),
      type: 'string',
      format: '',
      description: '',
      priority: name.endsWith('*') ? 1 : 0,
    })),
    rows: rows.map((cells) => ({ cells: [...cells], object: { metadata: { namespace: 'shop' } } })),
  };
}

const pods = table(['Name', 'Ready', 'Node*'], ['web-0', '1/1', 'n1'], ['a-longer-name', '0/1', null]);

const cases: Readonly<Record<string, { given: Table; options?: TableTextOptions; want: readonly string[] }>> =
  {
    'columns that are always shown': {
      given: pods,
      want: ['NAME            READY', 'web-0           1/1', 'a-longer-name   0/1'],
    },
    'all columns': {
      given: pods,
      options: { wide: true },
      want: ['NAME            READY   NODE', 'web-0           1/1     n1', 'a-longer-name   0/1     '],
    },
    namespaces: {
      given: pods,
      options: { namespaces: true, headers: false },
      want: ['shop   web-0           1/1', 'shop   a-longer-name   0/1'],
    },
    'narrow columns': { given: table(['A', 'B'], ['x', 'y']), want: ['A     B', 'x     y'] },
    'one column': { given: table(['A'], ['x']), want: ['A', 'x'] },
    'no rows': { given: table(['Name', 'Age']), want: ['NAME   AGE'] },
    'nothing at all': { given: table(['Name']), options: { headers: false }, want: [] },
    'cells of all types': {
      given: table(['A', 'B', 'C', 'D'], [1, true, { a: [1] }, undefined]),
      want: ['A     B      C           D', '1     true   {"a":[1]}   '],
    },
    'cells of several lines': {
      given: table(['A', 'B'], ['one\ntwo', 'x'], ['y\r', 'z\f']),
      want: ['A        B', 'one...   x', 'y...     z...'],
    },
    'control characters': {
      given: table(['A', 'B'], ['\u001b[31mred', 'x']),
      want: ['A           B', '^[[31mred   x'],
    },
    'characters of two units': {
      given: table(['A', 'B'], ['🦀🦀🦀🦀', 'x']),
      want: ['A      B', '🦀🦀🦀🦀   x'],
    },
  };

describe('formatting of a table', () => {
  it('supports more rows than a call has arguments', () => {
    const count = 200_000;
    const rows = Array.from({ length: count }, () => ({ cells: ['web', '1/1'] }));
    const lines = tableText({ ...pods, rows }, { headers: false }).split('\n');
    expect(lines).toHaveLength(count + 1);
    expect(lines.at(-2)).toBe('web   1/1');
  });

  it.each(Object.entries(cases))('%s', (_, { given, options, want }) => {
    expect(tableText(given, options)).toBe(want.map((line) => `${line}\n`).join(''));
  });
});
