/** Values of Go types with a JSON form of their own, such as quantities and times. */
import type { Json } from '@kgen/schema/values/json';
import { canonicalQuantity } from './quantity.ts';

/** A value as the server writes it, or the error of the parser of its type. */
interface Special {
  readonly written: Json;
  readonly problem?: string;
  /** The type that the value does not have. */
  readonly expected?: 'string' | 'int32';
}

/** Returns the JSON of the zero value of a type with its own JSON form; `undefined` for null. */
export function zeroSpecial(name: string): Json | undefined {
  if (name === 'Quantity') return '0';
  if (name === 'IntOrString') return 0;
  return name === 'Duration' ? '0s' : undefined;
}

/** Reads a value of a type with its own JSON form. */
export function checkSpecial(value: Json, name: string): Special {
  switch (name) {
    case 'Quantity':
      return readQuantity(value);
    case 'Time':
      return readTime(value, '2006-01-02T15:04:05Z07:00');
    case 'MicroTime':
      return readTime(value, '2006-01-02T15:04:05.000000Z07:00');
    case 'IntOrString':
      return typeof value === 'string' || Number.isInteger(value)
        ? { written: value }
        : { written: 0, expected: 'int32' };
    default:
      return { written: value };
  }
}

const quantityProblem =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function readQuantity(value: Json): Special {
  const written =
    typeof value === 'string' || typeof value === 'number'
      ? canonicalQuantity(String(value).trim())
      : undefined;
  return written === undefined ? { written: '0', problem: quantityProblem } : { written };
}

/** The parts of a time, each optional after the one before, with the elements of Go's layout. */
const timeParts: readonly (readonly [element: string, form: RegExp])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/],
  ['-', /^-/],
  ['02', /^\d\d/],
  ['T', /^T/],
  ['15', /^\d\d/],
  [':', /^:/],
  ['04', /^\d\d/],
  [':', /^:/],
  ['05', /^\d\d/],
];

/** Times in the form in which they are written, apart from days that do not exist. */
const seconds = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
const microseconds = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$/;

function readTime(value: Json, layout: string): Special {
  if (typeof value !== 'string') return { written: null, expected: 'string' };
  if ((layout.includes('.000000') ? microseconds : seconds).test(value)) return { written: value };
  const micro = layout.includes('.000000');
  const fraction: readonly [string, RegExp] = micro ? ['.000000', /^\.\d{6}/] : ['', /^(\.\d+)?/];
  let rest = value;
  for (const [element, part] of [...timeParts, fraction, ['Z07:00', /^(Z|[+-]\d\d:\d\d)/] as const]) {
    const found = part.exec(rest);
    if (found === null) return { written: null, problem: timeProblem(value, layout, rest, element) };
    rest = rest.slice(found[0].length);
  }
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) {
    return { written: null, problem: `parsing time ${JSON.stringify(value)}: day out of range` };
  }
  const digits = micro ? (/\.\d{6}/.exec(value)?.[0] ?? '') : '';
  return { written: `${date.toISOString().slice(0, 19)}${digits}Z` };
}

function timeProblem(value: string, layout: string, rest: string, element: string): string {
  const quoted = [value, layout, rest, element].map((part) => JSON.stringify(part));
  return `parsing time ${quoted[0]} as ${quoted[1]}: cannot parse ${quoted[2]} as ${quoted[3]}`;
}
