import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { budgets, limits } from '../budgets.mjs';
import { areas } from './areas.mjs';
import { chartOf } from './chart.mjs';
import { pageOf } from './page.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const row = (what: string, value: number, unit = '×') => ({ what, unit, values: [value] });
const run = { machine: 'a machine', date: '2026-01-02T03:04:05Z' };

/** Returns the page of the rows of each part. */
function page(
  parts: Readonly<Record<string, readonly object[]>>,
  budgets: readonly (readonly [string, object])[] = [],
) {
  const figures = Object.fromEntries(Object.entries(parts).map(([part, rows]) => [part, [{ ...run, rows }]]));
  return pageOf(figures, budgets);
}

describe('the page', () => {
  it('has every row, with its budget and verdict', () => {
    const rows = [row('a: rate of kgen over b', 12.345), row('time of a | b<c>', 1234.5, 'ms')];
    const text = page({ rest: rows, queue: [row('other', 0.5, '')] }, [
      ['a: *', { least: 2 }],
      ['time of *', { most: 1000, limit: 1300 }],
    ]).get('benchmarks.md');
    expect(text).toContain('| a: rate of kgen over b | 12.3 × | ≥ 2 | met |');
    expect(text).toContain('| time of a \\| b&lt;c> | 1,235 ms | ≤ 1,000 (1,300) | **missed** |');
    expect(text).toContain('| other | 0.5 | | |');
    expect(text).toContain('Measured on a machine, 2026-01-02.');
    expect(text).toContain('2 of 3 have a budget (`test/bench/budgets.mjs`), which 1 miss.');
  });

  it('has a table for each machine and day of an area', () => {
    const runs = ['one', 'other', 'one'].map((machine, index) => ({
      ...run,
      machine,
      rows: [row(`figure ${index}`, 1, 's')],
    }));
    const text = pageOf({ rest: runs }, []).get('benchmarks.md') ?? '';
    expect([...text.matchAll(/^Measured on .*|^\| figure \d/gm)].map(String)).toEqual([
      ...['Measured on one, 2026-01-02.', '| figure 0', '| figure 2'],
      ...['Measured on other, 2026-01-02.', '| figure 1'],
    ]);
  });

  it('has a chart in two themes for each area with ratios', () => {
    const files = page({ rest: [row('a', 2)], queue: [row('b', 3, 'ms')] });
    expect([...files.keys()].sort()).toEqual([
      'benchmarks.md',
      'pictures/bench-requests-dark.svg',
      'pictures/bench-requests-light.svg',
    ]);
  });

  it('is that of the committed figures', () => {
    const figures = JSON.parse(readFileSync(new URL('figures.json', import.meta.url), 'utf8'));
    for (const [path, content] of pageOf(figures, budgets))
      expect(readFileSync(join(root, 'docs', path), 'utf8'), path).toBe(content);
  });

  it('has a budget for each ratio, and a row for each limit', () => {
    const lines = readFileSync(join(root, 'docs/benchmarks.md'), 'utf8').split('\n');
    expect(lines.filter((line) => / × \| \| \|$/.test(line))).toEqual([]);
    expect(limits.filter(([name]) => !lines.some((line) => line.startsWith(`| ${name} |`)))).toEqual([]);
  });
});

describe('the chart', () => {
  const colorsOf = (svg: string) => [...svg.matchAll(/<rect [^>]*fill="(#\w+)"/g)].map(([, color]) => color);

  it.each([
    ['a cost below 1', 0.5, { most: 1 }, '#1a7f37'],
    ['a cost above 1', 1.5, { most: 2 }, '#bc4c00'],
    ['a rate above 1', 1.5, { least: 1 }, '#1a7f37'],
    ['a rate below 1', 0.5, { least: 0.4 }, '#bc4c00'],
  ])('shows %s', (_, value, budget, color) => {
    const files = page({ rest: [row('a', value)] }, [['a', budget]]);
    expect(colorsOf(files.get('pictures/bench-requests-light.svg') ?? '')).toEqual([color]);
  });

  it('ends bars at its edge, and escapes labels', () => {
    const svg = chartOf('t', [{ label: '<a> & b', ratio: 1e9, isBetter: true }], 'dark');
    expect(svg).toContain('&lt;a&gt; &amp; b');
    expect(Math.max(...[...svg.matchAll(/ x="([\d.]+)"/g)].map(([, x]) => Number(x)))).toBeLessThan(760);
  });
});

it('each part of the benches is in one area', () => {
  const source = readFileSync(join(root, 'test/bench/run.mjs'), 'utf8');
  const table = source.slice(source.indexOf('const parts = {'), source.indexOf('\n};'));
  const parts = [...table.matchAll(/^ {2}'?([\w-]+)'?: /gm)].map(([, name]) => name);
  expect(parts.length).toBeGreaterThan(20);
  expect(areas.flatMap((area) => area.parts).sort()).toEqual(parts.sort());
});
