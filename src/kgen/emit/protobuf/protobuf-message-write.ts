/**
 * Statements that write a message: its fields from last to first, each with the number of members that it
 * consumed.
 */
import type { Field, TableMessage } from '../../protobuf/types.ts';
import { quoted } from '../text/literals.ts';
import type { MessageNames } from './protobuf-message.ts';
import { functionOf, isText, type MessageScope, tagOf } from './protobuf-tags.ts';

/** Returns the statements of the function that writes a message. */
export function writeStatements(
  message: TableMessage,
  fields: string,
  names: MessageNames,
): readonly string[] {
  const scope = { names, home: message.home };
  const [only] = message.fields;
  if (message.bare && only !== undefined)
    return [`w.enter(${fields});`, `return ${call(only, 'list', scope)};`];
  const calls = message.fields
    .toReversed()
    .map((field) => call(field, `m[${quoted(field.json ?? '')}]`, scope));
  return [`w.enter(${fields}, m);`, ...(calls.length === 0 ? ['return 0;'] : sum(calls))];
}

function sum(calls: readonly string[]): readonly string[] {
  const [first = '', ...others] = calls;
  return [`let n = ${first};`, ...others.map((other) => `n += ${other};`), 'return n;'];
}

function call(field: Field, value: string, scope: MessageScope): string {
  const { element, json } = field;
  const tag = tagOf(field);
  const isNumber = 'scalar' in element && element.scalar !== 'string' && element.scalar !== 'bytes';
  if (json === undefined) return `w.embedded(${tag}, m, ${functionOf('write', element, scope)})`;
  const method = methodOf(field, scope);
  if (isText(element) || isNumber) return `w.${method}(${tag}, ${value})`;
  return `w.${method}(${tag}, ${value}, ${functionOf('write', element, scope)})`;
}

/**
 * Messages are JSON objects. For other length-delimited values the write function decides which JSON it
 * accepts.
 */
function methodOf({ element, shape }: Field, { names }: MessageScope): string {
  const isMessage = 'message' in element && names.message(element.message)?.bare !== true;
  const name = isText(element) ? 'string' : isMessage ? 'message' : 'value';
  const noun = 'scalar' in element && element.scalar !== 'bytes' ? element.scalar : name;
  if (shape === 'map') return `${noun}Map`;
  if (shape === 'slice') return `${noun}s`;
  const isOptional = shape === 'pointer' || ('scalar' in element && element.scalar === 'bytes');
  return isOptional ? `${noun}If` : noun;
}
