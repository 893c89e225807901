/** Scalars of a text that is changed: read as kubectl reads them, and written as they were where nobody changed them. */
import type { ScalarTag, Tags } from 'yaml';
import { scalarTags } from './scalars.ts';

type Tag = Exclude<Tags[number], string>;

const ignore = (): void => undefined;

function isScalarTag(tag: Tag): tag is ScalarTag {
  return tag.collection === undefined;
}

/** `bigint`s would be lost on whoever prints a value as JSON; the text keeps all digits. */
function asNumber(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

/** `0644`, `yes`, and more digits than a double holds stay what they are. */
function keepingSource(tag: Tag): Tag {
  if (!isScalarTag(tag)) return tag;
  const resolve: ScalarTag['resolve'] = (text, ...rest) => asNumber(tag.resolve(text, ...rest));
  return {
    ...tag,
    resolve,
    stringify: ({ source, value }) =>
      source !== undefined && Object.is(resolve(source, ignore, {}), value) ? source : String(value),
  };
}

/** Characters that YAML does not allow, or that some readers drop or take for the end of a line. */
const unusual = /[^\P{Cc}\t\n]|[\u2028\u2029\ufeff\ufffe\uffff]/u;
/** Those of them that JSON has no escape for. */
const unescaped = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Text as a string of JSON, and so of YAML, that all readers take. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    unescaped,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** One such character in the open, and kubectl reads nothing of the file any more. */
const unusualTextTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => typeof value === 'string' && unusual.test(value),
  resolve: (text) => text,
  stringify: ({ value }) => quoted(String(value)),
};

/** For the option `customTags` with the schema `failsafe`. The first one that knows a value writes it. */
export function editableTags(failsafe: Tags): Tags {
  return [unusualTextTag, ...failsafe, ...scalarTags.map(keepingSource), 'merge'];
}
