import { describe, expect, it } from 'vitest';
import { type SelectorOptions, selectionKey, selectionOf, selectionText } from './selection.ts';

/** A value of each selector; a new member of `SelectorOptions` needs one. */
const values: Required<Readonly<Record<keyof SelectorOptions, string>>> = {
  labelSelector: 'app=web',
  fieldSelector: 'spec.nodeName=n1',
  shardSelector: "shardRange(object.metadata.uid, '0x0', '0x8000000000000000')",
};
const names = ['labelSelector', 'fieldSelector', 'shardSelector'] as const;

describe('selectionOf', () => {
  it('formats every selector for a query', () => {
    expect(selectionOf(values)).toEqual(values);
    expect(selectionOf({ labelSelector: { app: 'web' }, fieldSelector: { 'spec.nodeName': 'n1' } })).toEqual({
      ...values,
      shardSelector: undefined,
    });
  });

  it('returns a selection that can be passed on as options', () => {
    expect(selectionOf(selectionOf(values))).toEqual(values);
  });

  it('ignores other options', () => {
    const options = { limit: 5, labelSelector: 'app=web' };
    expect(Object.keys(selectionOf(options)).sort()).toEqual([...names].sort());
  });

  it('throws TypeError for invalid selectors', () => {
    expect(() => selectionOf({ labelSelector: { 'a b': 'c' } })).toThrow(TypeError);
    expect(() => selectionOf({ fieldSelector: { 'a=b': 'c' } as object })).toThrow(TypeError);
  });
});

describe('selectionKey', () => {
  it.each(names)('differs for another %s', (name) => {
    const keys = [{}, { [name]: values[name] }, { [name]: 'other' }].map(selectionKey);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('is equal for equal selectors in different forms', () => {
    expect(selectionKey({ labelSelector: { app: 'web' } })).toBe(selectionKey({ labelSelector: 'app=web' }));
    expect(selectionKey({ labelSelector: '', fieldSelector: undefined })).toBe(selectionKey({}));
  });

  it('distinguishes equal strings of different selectors', () => {
    const keys = names.map((name) => selectionKey({ [name]: 'a=b' }));
    expect(new Set(keys).size).toBe(names.length);
  });
});

describe('selectionText', () => {
  it('joins all selectors', () => {
    expect(selectionText(values)).toBe(Object.values(values).join(' and '));
  });

  it('is empty for all objects', () => {
    expect(selectionText({ labelSelector: '' })).toBe('');
  });
});
