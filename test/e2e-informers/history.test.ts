/** The checker finds each kind of violation. */
import { expect, it } from 'vitest';
import { differences, History, type Seen } from './history.ts';

function object(uid: string, resourceVersion: number, count = 0, name = 'a'): Seen & { count: number } {
  return { metadata: { namespace: 'shop', name, uid, resourceVersion: String(resourceVersion) }, count };
}

type Play = (history: History<Seen>) => void;
const one = object('u', 1);
const two = object('u', 2, 1);
const three = object('u', 3, 1);

const cases: Readonly<Record<string, { readonly play: Play; readonly problems: readonly string[] }>> = {
  'a whole life, and another one': {
    play: (history) => {
      history.add(one);
      history.update(two, one);
      history.delete(three, { missed: false });
      history.add(object('v', 4));
      history.delete(object('v', 5), { missed: false });
    },
    problems: [],
  },
  'an update from an object that was not delivered': {
    play: (history) => {
      history.add(one);
      history.update(two, { ...one });
    },
    problems: ['update shop/a u@2: from u@1, which was not delivered last'],
  },
  'the same version twice': {
    play: (history) => {
      history.add(one);
      history.update(object('u', 1, 1), one);
    },
    problems: ['update shop/a u@1: not newer than the last version'],
  },
  'another uid without a deletion': {
    play: (history) => {
      history.add(one);
      history.update(object('v', 2), one);
    },
    problems: ['update shop/a v@2: of another uid'],
  },
  'an object twice': {
    play: (history) => {
      history.add(one);
      history.add(two);
    },
    problems: ['add shop/a u@2: while u@1 has that name'],
  },
  'an object that comes back': {
    play: (history) => {
      history.add(one);
      history.delete(one, { missed: true });
      history.add(two);
    },
    problems: ['add shop/a u@2: of a deleted uid'],
  },
  'deletions that are not in the last state, and of nothing': {
    play: (history) => {
      history.add(one);
      history.delete(three, { missed: false });
      history.delete(three, { missed: false });
    },
    problems: ['delete shop/a u@3: not in its last state', 'delete shop/a u@3: of a missing object'],
  },
  'a missed deletion of another object': {
    play: (history) => {
      history.add(one);
      history.delete({ ...one }, { missed: true });
    },
    problems: ['delete shop/a u@1: not the last one known'],
  },
};

it.each(Object.entries(cases))('checks %s', (_, { play, problems }) => {
  const history = new History();
  play(history);
  expect(history.problems).toEqual(problems);
});

it.each([
  { ours: [one], theirs: [one], want: [] },
  { ours: [], theirs: [one], want: ['shop/a u@1 is missing'] },
  { ours: [one], theirs: [], want: ['shop/a should be gone'] },
  { ours: [one], theirs: [two], want: ['shop/a is u@1 instead of u@2'] },
  { ours: [one], theirs: [object('u', 1, 9)], want: ['shop/a differs from the server'] },
])('distinguishes stores: $want', ({ ours, theirs, want }) => {
  expect(differences(ours, theirs)).toEqual(want);
});
