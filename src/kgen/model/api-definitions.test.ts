import { describe, expect, test } from 'vitest';
import {
  apiOf,
  definitionOf,
  fieldText,
  groupVersionOf,
  kindSchema,
  listSchema,
  meta,
  modelOf,
  object,
  ref,
  resourceOf,
  typeNamed,
} from './api.fixture.ts';

const string = { type: 'string' };

describe('definitions of an API', () => {
  test.each([
    ['with properties and no type', { properties: { a: string } }, 'field?: Part'],
    ['with a type and no properties', { type: 'object' }, 'field?: Part'],
    ['with a type and empty properties', { type: 'object', properties: {} }, 'field?: Part'],
    ['with keys of any name', { type: 'object', additionalProperties: string }, 'field?: { [*]: string }'],
  ])('%s', (_, schema, want) => {
    const name = 'com.example.v1.Part';
    expect(fieldText(ref(name), [definitionOf(name, schema)])).toBe(want);
  });

  test('nested objects differ where they refer to different types of the runtime', () => {
    const thing = definitionOf(
      'com.example.v1.Thing',
      kindSchema({
        a: object({ x: ref(`${meta}.ObjectMeta`) }),
        b: object({ x: ref(`${meta}.ListMeta`) }),
      }),
      ['example/v1/Thing'],
    );
    const groupVersion = groupVersionOf(modelOf(apiOf([thing])), 'example/v1');
    expect(['ThingA', 'ThingB'].map((name) => typeNamed(groupVersion, name).name)).toEqual([
      'ThingA',
      'ThingB',
    ]);
  });

  test.each([
    [['get', 'list', 'watch'] as const, 'list'],
    [['get', 'list'] as const, 'virtual-list'],
  ])('the list of what has the verbs %j is a %s', (verbs, role) => {
    const thing = definitionOf('com.example.v1.Thing', kindSchema(), ['example/v1/Thing']);
    const list = definitionOf('com.example.v1.ThingList', listSchema(thing.name), ['example/v1/ThingList']);
    const names = { definition: thing.name, listDefinition: list.name };
    const things = resourceOf('example/v1/Thing', 'things', { ...names, verbs });
    const groupVersion = groupVersionOf(
      modelOf(apiOf([thing, list], { 'example/v1': [things] })),
      'example/v1',
    );
    expect(typeNamed(groupVersion, 'ThingList').role).toBe(role);
  });
});
