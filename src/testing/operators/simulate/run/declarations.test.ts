/** Declarations of users, and the schedules of fresh clusters that follow from them. */
import { expect, test } from 'vitest';
import { idOf } from '../cluster.ts';
import type { Step } from '../schedule/schedule.ts';
import { Declarations, freshSchedule, withGhosts } from './declarations.ts';

const app = (name: string, spec: Readonly<Record<string, number>> = { size: 1 }) => ({
  apiVersion: 'v1',
  kind: 'App',
  metadata: { name, namespace: 'shop' },
  spec,
});
const waitMs = 5;
const create = (name: string): Step => ({ do: 'create', object: app(name), waitMs });
const remove = (name: string): Step => ({ do: 'delete', target: idOf(app(name)), waitMs });
const edit = (name: string, value: number | null): Step => ({
  do: 'edit',
  target: idOf(app(name)),
  path: ['spec', 'size'],
  value,
  waitMs,
});
const detour = (name: string): Step => ({
  do: 'detour',
  target: idOf(app(name)),
  path: ['spec', 'size'],
  value: 0,
  back: 1,
  ms: 5,
  waitMs,
});

function declared(steps: readonly Step[], existing = [app('known')]): Declarations {
  const declarations = new Declarations(existing);
  for (const step of steps) declarations.note(step, true);
  return declarations;
}

const shown = (steps: readonly Step[] | undefined): readonly string[] | undefined =>
  steps?.map((step) =>
    step.do === 'delete'
      ? `delete ${step.target.name}`
      : `${step.do} ${'object' in step ? `${idOf(step.object).name} ${JSON.stringify(step.object['spec'])}` : ''}`,
  );

test.each<[title: string, steps: readonly Step[], fresh: readonly string[] | undefined]>([
  ['creations are a fresh cluster', [create('a'), create('b')], undefined],
  ['an edit', [create('a'), edit('a', 3)], ['create a {"size":3}']],
  ['a removal of a member', [create('a'), edit('a', null)], ['create a {}']],
  ['a change that is taken back', [create('a'), detour('a')], ['create a {"size":1}']],
  ['a deletion', [create('a'), create('b'), remove('a')], ['create b {"size":1}']],
  [
    'an object that existed before is created again first',
    [create('a'), edit('known', 7)],
    ['recreate known {"size":7}', 'create a {"size":1}'],
  ],
  ['an edit of an unknown object', [create('a'), edit('other', 7)], undefined],
  [
    'an object that is created again comes last',
    [create('a'), create('b'), { do: 'recreate', object: app('a'), waitMs }],
    ['create b {"size":1}', 'create a {"size":1}'],
  ],
])('%s', (_, steps, fresh) => {
  expect(shown(freshSchedule(declared(steps).states)?.steps)).toEqual(fresh);
});

test('objects that were deleted exist for some time, as they were declared last', () => {
  const { states } = declared([create('a'), edit('a', 2), create('b'), remove('a')]);
  const { schedule, names } = withGhosts(states);
  expect(names).toEqual(['a']);
  expect(shown(schedule.steps)).toEqual(['create a {"size":2}', 'create b {"size":1}', 'delete a']);
});

test('a refused change leaves the declarations, and a refused new creation has no fresh cluster', () => {
  const declarations = declared([create('a'), edit('a', 3)]);
  const { states } = declarations;
  declarations.note(edit('a', 4), false);
  expect(declarations.states).toBe(states);
  declarations.note({ do: 'recreate', object: app('a'), waitMs }, false);
  expect(freshSchedule(declarations.states)).toBeUndefined();
});
