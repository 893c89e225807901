/** Format library of Kubernetes. */
import { hasFormat } from '../../../formats/formats.ts';
import {
  label1035Problems,
  labelKeyProblem,
  labelProblem,
  labelValueProblem,
  subdomainProblem,
} from '../../../values/names.ts';
import { listOf, optionalOf, string, structOf } from '../../check/types.ts';
import { PatternFormat } from '../../cost/calls.ts';
import { type Functions, member, type Overload, overload } from '../../environment.ts';
import { noSuchOverload, type Opaque, Optional } from '../../values/value.ts';
import { text, texts } from '../strings.ts';
import { parseRequestUri } from './urls.ts';

type Validate = (value: string) => readonly string[];

class NamedFormat extends PatternFormat {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  readonly patternSize: number;
  readonly validate: Validate;

  constructor(name: string, patternSize: number, validate: Validate) {
    super();
    this.name = name;
    this.patternSize = patternSize;
    this.validate = validate;
  }

  equals(other: Opaque): boolean {
    return other instanceof NamedFormat && other.name === this.name;
  }
}

const dateTimePatternSize = 71;

const formats: ReadonlyMap<string, NamedFormat> = new Map(
  (
    [
      ['dns1123Label', 'DNS1123Label', 30, (value) => problems(labelProblem(value))],
      ['dns1123Subdomain', 'DNS1123Subdomain', 60, (value) => problems(subdomainProblem(value))],
      ['dns1035Label', 'DNS1035Label', 30, label1035Problems],
      ['qualifiedName', 'QualifiedName', 60, (value) => problems(labelKeyProblem(value))],
      ['dns1123LabelPrefix', 'DNS1123LabelPrefix', 30, (value) => problems(labelProblem(asPrefix(value)))],
      [
        'dns1123SubdomainPrefix',
        'DNS1123SubdomainPrefix',
        60,
        (value) => problems(subdomainProblem(asPrefix(value))),
      ],
      ['dns1035LabelPrefix', 'DNS1035LabelPrefix', 30, (value) => label1035Problems(asPrefix(value))],
      ['labelValue', 'LabelValue', 40, (value) => problems(labelValueProblem(value))],
      ['uri', 'URI', 1103, uriProblems],
      ['uuid', 'uuid', 70, named('uuid', 'does not match the UUID format')],
      ['byte', 'byte', 84, named('byte', 'invalid base64')],
      ['date', 'date', dateTimePatternSize, named('date', 'invalid date')],
      ['datetime', 'datetime', dateTimePatternSize, named('datetime', 'invalid datetime')],
    ] satisfies readonly (readonly [string, string, number, Validate])[]
  ).map(([key, name, size, validate]) => [key, new NamedFormat(name, size, validate)]),
);

function problems(...found: readonly (string | undefined)[]): readonly string[] {
  return found.filter((problem) => problem !== undefined);
}

/** A prefix of a generated name may end in a dash. */
function asPrefix(value: string): string {
  return value.length > 1 && value.endsWith('-') ? `${value.slice(0, -1)}a` : value;
}

function named(format: string, message: string): Validate {
  return (value) => (hasFormat(format, value) ? [] : [message]);
}

function uriProblems(value: string): readonly string[] {
  const parsed = parseRequestUri(value);
  return parsed instanceof Error ? [parsed.message] : [];
}

const format = structOf('kubernetes.NamedFormat');

/** Functions of named formats. */
export const namedFormats: Functions = new Map<string, readonly Overload[]>([
  [
    'validate',
    [
      member('format-validate', [format, string], optionalOf(listOf(string)), ([a, b]) => {
        if (!(a instanceof NamedFormat)) throw noSuchOverload();
        const found = a.validate(text(b));
        return found.length === 0 ? new Optional() : new Optional(texts(found));
      }),
    ],
  ],
  [
    'format.named',
    [overload('format-named', [string], optionalOf(format), ([a]) => new Optional(formats.get(text(a))))],
  ],
  ...[...formats].map(([key, value]): [string, readonly Overload[]] => [
    `format.${key}`,
    [overload(`format.${key}`, [], format, () => value)],
  ]),
]);
