/** Definitions in the YAML notations that people and tools write. */
import { isDeepStrictEqual } from 'node:util';
import { dump } from 'js-yaml';
import { parseDocument, stringify } from 'yaml';
import type { Random } from '../support/random.ts';
import type { JsonObject } from './json.ts';

/** Returns a document of a YAML stream. */
export function notation(value: JsonObject, random: Random): string {
  const body = random.pick<() => string>([
    () => JSON.stringify(value),
    () => JSON.stringify(value, undefined, 1 + random.int(4)),
    () => JSON.stringify(value, undefined, '\t'),
    () => faithful(dumped(value, random), value),
    () => faithful(stringified(value, random), value),
  ])();
  const head = random.pick(['', '---\n', '--- # a comment\n', '# a comment\n---\n\n', '%YAML 1.2\n---\n']);
  const tail = random.pick(['', '\n', '\n...\n', '\n\n# the end\n']);
  const text = `${head}${body}${tail}`;
  return random.chance(0.1) ? text.replaceAll('\n', '\r\n') : text;
}

/**
 * Returns the string, or JSON if the YAML writer made a mistake: each writer has some, in the folding of
 * unusual strings.
 */
function faithful(text: string, value: JsonObject): string {
  const document = parseDocument(text, { logLevel: 'silent', uniqueKeys: false });
  const isSame = document.errors.length === 0 && isDeepStrictEqual(plain(document.toJS()), plain(value));
  return isSame ? text : JSON.stringify(value);
}

/** Returns the value as JSON reads it. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function dumped(value: JsonObject, random: Random): string {
  return dump(value, {
    indent: 1 + random.int(7),
    flowLevel: random.pick([-1, 3, 8]),
    noRefs: random.chance(0.5),
    quotingType: random.pick(["'", '"']),
    forceQuotes: random.chance(0.3),
    lineWidth: random.pick([-1, 40, 80]),
    noArrayIndent: random.chance(0.5),
  });
}

function stringified(value: JsonObject, random: Random): string {
  return stringify(value, {
    indent: 1 + random.int(7),
    blockQuote: random.pick([true, false, 'folded', 'literal']),
    collectionStyle: random.pick(['any', 'block', 'flow']),
    defaultStringType: random.pick(['PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE']),
    defaultKeyType: random.pick(['PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE']),
    lineWidth: random.pick([0, 80]),
    nullStr: random.pick(['null', '~', 'Null']),
    version: '1.2',
  });
}
