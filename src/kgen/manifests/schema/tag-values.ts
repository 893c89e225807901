/** Tags of a value with parsed values, nearest comment first. */
import type { Json } from '@kgen/schema/values/json';
import { error, type InputProblem, type SourcePlace } from '../../common/problems.ts';
import { closestName } from '../../common/words.ts';
import {
  foreignTags,
  schemaTagsByName,
  type TagDefinition,
  type TaggedType,
  tagsOfOthers,
} from '../../notation/tags.ts';
import { type PartStep, parseValue, splitPart } from '../../notation/values.ts';
import type { Note } from '../declare/declared.ts';

/** A valid tag. */
export interface TagValue {
  readonly definition: TagDefinition;
  readonly value: Json;
  readonly place: SourcePlace;
  /** Steps to the part of the property that the tag applies to. Empty for the property. */
  readonly part: readonly PartStep[];
}

/** Tags of comments. The nearest comment has precedence, except for tags that may be repeated. */
export function tagValues(
  notes: readonly Note[],
  report: (problem: InputProblem) => void,
): readonly TagValue[] {
  const found: TagValue[] = [];
  const settled = new Set<string>();
  for (const note of notes) {
    const own = note.tags.flatMap((tag) => {
      const definition = schemaTagsByName.get(tag.name);
      if (definition === undefined) {
        if (!foreignTags.has(tag.name)) report(error(unknownTag(tag.name), tag.place));
        return [];
      }
      const { text, part } = splitPart(tag.text);
      const parsed = parseValue(definition, text);
      if ('value' in parsed) return [{ definition, value: parsed.value, place: tag.place, part }];
      report(error(parsed.fault, tag.place));
      return [];
    });
    const here = new Set<string>();
    for (const tag of own) {
      const key = `${tag.definition.name} ${tag.part.join(' ')}`;
      if (tag.definition.isRepeatable !== true) {
        if (here.has(key)) report(error(`@${tag.definition.name} occurs twice: keep one of them`, tag.place));
        if (here.has(key) || settled.has(key)) continue;
      }
      here.add(key);
      found.push(tag);
    }
    for (const key of here) settled.add(key);
  }
  return found;
}

function unknownTag(name: string): string {
  const last = name.split(':').at(-1) ?? name;
  const word = name.includes(':') ? `${last.charAt(0).toLowerCase()}${last.slice(1)}` : name;
  const known = schemaTagsByName.has(word) ? word : tagsOfOthers.get(word);
  const nearest = known ?? closestName(word, schemaTagsByName.keys());
  if (nearest === undefined) return `@${name} is not a tag: write \\@${name} for text`;
  return `@${name} is not a tag: use ${schemaTagsByName.has(nearest) ? '@' : ''}${nearest}`;
}

/** Returns an error for a tag that values of a type cannot have. */
export function misplaced(
  { definition, place }: TagValue,
  type: TaggedType | undefined,
): InputProblem | undefined {
  const { name, types } = definition;
  if (types === undefined || type === undefined || types.includes(type)) return undefined;
  const nouns = types.map((each) => typeNouns[each]).join(' or ');
  return error(
    `@${name} is for ${nouns}, and this is ${typeNoun[type]}: remove the tag, or change the type`,
    place,
  );
}

const typeNouns: Readonly<Record<TaggedType, string>> = {
  string: 'strings',
  integer: 'integers',
  number: 'numbers',
  boolean: 'booleans',
  array: 'lists',
  object: 'objects',
  'int-or-string': 'values of type IntOrString',
  unknown: 'unknown values',
};

const typeNoun: Readonly<Record<TaggedType, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'a boolean',
  array: 'a list',
  object: 'an object',
  'int-or-string': 'an integer or a string',
  unknown: 'an unknown value',
};
