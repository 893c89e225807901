/** Scalars of an edited document: parsed as kubectl does, and printed unchanged unless they were edited. */
import type { ScalarTag, Tags } from 'yaml';
import { scalarTags } from './scalars.ts';

type Tag = Exclude<Tags[number], string>;

const ignore = (): void => undefined;

/** Characters that YAML forbids, or that some parsers drop or treat as line breaks. */
const unusual = /[^\P{Cc}\t\n]|[\u2028\u2029\ufeff\ufffe\uffff]/u;
/** Those of them that JSON cannot escape. */
const unescaped = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Returns a string literal that is valid in JSON and YAML for all parsers. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    unescaped,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** If one of these characters is unquoted, kubectl rejects the whole file. */
const unusualTextTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => typeof value === 'string' && unusual.test(value),
  resolve: (text) => text,
  stringify: ({ value }) => quoted(String(value)),
};

/**
 * For the option `customTags` with the schema `failsafe`. The first tag that matches a value serialises it.
 */
export function editableTags(failsafe: Tags): Tags {
  return [unusualTextTag, ...failsafe, ...scalarTags.map(keepingSource), 'merge'];
}

/** Keeps the source of `0644`, `yes`, and numbers that exceed the precision of a double. */
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

function isScalarTag(tag: Tag): tag is ScalarTag {
  return tag.collection === undefined;
}

/** A `bigint` cannot be serialised as JSON by callers; the source keeps all digits. */
function asNumber(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
