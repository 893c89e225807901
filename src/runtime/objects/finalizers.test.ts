import { expect, it } from 'vitest';
import { addFinalizer, hasFinalizer, removeFinalizer } from './finalizers.ts';

it('adds and removes finalizers without changing the original', () => {
  const object = Object.freeze({ kind: 'Pod', metadata: Object.freeze({ name: 'p' }) });
  const one = addFinalizer(object, 'a.example.com/x');
  const two = addFinalizer(one, 'b.example.com/y');
  expect(two).toEqual({
    kind: 'Pod',
    metadata: { name: 'p', finalizers: ['a.example.com/x', 'b.example.com/y'] },
  });
  expect(hasFinalizer(two, 'a.example.com/x')).toBe(true);
  expect(hasFinalizer(object, 'a.example.com/x')).toBe(false);
  expect(removeFinalizer(two, 'a.example.com/x').metadata).toEqual({
    name: 'p',
    finalizers: ['b.example.com/y'],
  });
  expect(one.metadata).toEqual({ name: 'p', finalizers: ['a.example.com/x'] });
});

it('returns the same object if nothing changes', () => {
  const object = { metadata: { finalizers: ['a'] } };
  expect(addFinalizer(object, 'a')).toBe(object);
  expect(removeFinalizer(object, 'b')).toBe(object);
  expect(addFinalizer({}, 'a')).toEqual({ metadata: { finalizers: ['a'] } });
});
