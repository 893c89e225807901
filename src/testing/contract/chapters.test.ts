import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chapters, countByChapter } from './chapters.fixture.ts';
import { documentSteps } from './documents.fixture.ts';
import type { Step } from './exchange.fixture.ts';
import { kindSteps } from './kinds/all.fixture.ts';
import { minimalSteps } from './kinds/minimal.fixture.ts';
import type { ListTables } from './lists.fixture.ts';

const fixtures = new URL('fixtures/', import.meta.url);

/**
 * Every table whose requests are sent one after the other; the tables of lists have names in place of them.
 */
const tables = readdirSync(fixtures)
  .filter((name) => name !== 'lists.json')
  // The tables are part of this project.
  .map((name) => JSON.parse(readFileSync(new URL(name, fixtures), 'utf8')) as readonly Step[]);
const steps = [...tables.flat(), ...Object.values(kindSteps).flat(), ...minimalSteps, ...documentSteps];
const counts = countByChapter(steps);

test('every chapter compares responses of both servers', () => {
  expect(chapters.filter((chapter) => (counts.get(chapter) ?? 0) < 3)).toEqual([]);
});

test('the contract has at least 600 behaviours without the combinations of list options', () => {
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(600);
});

test('the combinations of list options are as many again', () => {
  const lists = JSON.parse(readFileSync(new URL('lists.json', fixtures), 'utf8')) as ListTables;
  const combinations = Object.values(lists).map((outcomes) => Object.keys(outcomes).length);
  expect(combinations.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(600);
});
