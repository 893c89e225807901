import { expect, test } from 'vitest';
import { apiFactsOf, factsOf, statesImmutable } from './facts.ts';

test.each([
  { text: 'The name. Cannot be updated.', want: true },
  { text: 'THIS FIELD IS IMMUTABLE', want: true },
  { text: 'Made by the server on creation and immutable.', want: true },
  { text: 'Once set, it can not be changed.\nMore.', want: true },
  { text: 'It may\nnot be modified.', want: true },
  { text: 'This field is immutable; see e.g. the guide.', want: true },
  { text: 'Immutable objects are fast.', want: false },
  { text: 'If set, the data cannot be updated.', want: false },
  { text: 'This field was immutable before 1.29. It may be changed.', want: false },
  { text: 'May not be changed unless the type changes too.', want: false },
  { text: 'It can be updated.', want: false },
  { text: 'Nobody is immutably bound.', want: false },
  { text: '', want: false },
])('$text', ({ text, want }) => {
  expect(statesImmutable(text)).toBe(want);
});

test.each([
  {
    title: 'a rule',
    given: { 'x-kubernetes-validations': [{ rule: ' self == oldSelf ' }] },
    crd: true,
    api: true,
  },
  {
    title: 'a rule about a part',
    given: { 'x-kubernetes-validations': [{ rule: 'self.a == oldSelf.a' }] },
    crd: undefined,
    api: undefined,
  },
  { title: 'a description', given: { description: 'Is immutable.' }, crd: undefined, api: true },
])('treats $title alike in a CRD and in an API', ({ given, crd, api }) => {
  expect([factsOf(given).immutable, apiFactsOf(given).immutable]).toEqual([crd, api]);
});
