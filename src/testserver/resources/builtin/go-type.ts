/** Go types of built-in kinds: they determine the JSON of absent and empty members. */
import { messages } from '@kgen/schema/kubernetes/fields';
import { goTypeLines } from './go-types.ts';

/** Types of JSON values without members. */
export type GoScalar = 'string' | 'int32' | 'int64' | 'bool' | 'double' | 'bytes';

/** Go type of a field or an element: determines its JSON, also if it is absent. */
export type GoType =
  | { readonly form: 'scalar'; readonly name: GoScalar }
  /** A type with its own JSON form, such as `Quantity`. */
  | { readonly form: 'special'; readonly name: string }
  | { readonly form: 'struct'; readonly home: string; readonly name: string }
  | { readonly form: 'pointer' | 'slice' | 'map'; readonly element: GoType };

/** One member of a struct. */
export interface GoField {
  readonly json: string;
  /** Names of the embedded structs that contain the member, which errors of types name. */
  readonly embedded: readonly string[];
  readonly type: GoType;
  /**
   * Condition under which the member is omitted: never, if it is empty (structs: never), or if it is zero.
   */
  readonly omission: 'never' | 'omitempty' | 'omitzero';
}

/** A struct with the members of its embedded structs, or a named list. */
export interface GoStruct {
  readonly home: string;
  readonly name: string;
  readonly fields: ReadonlyMap<string, GoField>;
  /** The type of its JSON, if that is the list in its only field. */
  readonly list: GoType | undefined;
}

/** Lines by `home.name`: `Pod metadata? meta/v1.ObjectMeta;spec? PodSpec`. */
let lines: ReadonlyMap<string, string> | undefined;
const parsed = new Map<string, GoStruct>();

/**
 * Returns a struct, or `undefined` if it does not exist.
 * @param home folder of its group version: `core/v1`, `apps/v1`, `meta/v1`
 */
export function goStruct(home: string, name: string): GoStruct | undefined {
  const key = `${home}.${name}`;
  const known = parsed.get(key);
  if (known !== undefined) return known;
  lines ??= readLines();
  const line = lines.get(key) ?? lines.get(`${key}[]`);
  if (line === undefined) return undefined;
  const struct = parseStruct(home, name, line);
  parsed.set(key, struct);
  return struct;
}

/**
 * Returns the lines of the table of all releases without their numbers, replaced by those that differ in the
 * release served. No kind of that release leads to the structs that only others have.
 */
function readLines(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let home = '';
  for (const line of `${messages.replace(/=\d+ /g, ' ')}${goTypeLines}`.split('\n')) {
    const end = line.indexOf(' ');
    const name = `${home}.${end < 0 ? line : line.slice(0, end)}`;
    // A line with a slash and without fields begins the messages of a home.
    if (end < 0 && line.includes('/')) home = line;
    else found.set(name, end < 0 ? '' : line.slice(end + 1));
  }
  return found;
}

function parseStruct(home: string, name: string, line: string): GoStruct {
  const fields = line === '' ? [] : line.split(';').flatMap((field) => parseField(home, field));
  const isList = lines?.has(`${home}.${name}[]`) === true;
  return {
    home,
    name,
    fields: new Map(fields.map((field) => [field.json, field])),
    list: isList ? fields[0]?.type : undefined,
  };
}

function parseField(home: string, field: string): readonly GoField[] {
  const space = field.indexOf(' ');
  const marked = field.slice(0, space);
  const type = parseType(home, field.slice(space + 1));
  // Members of an embedded struct are members of the struct that embeds it.
  if (marked === '') return type.form === 'struct' ? embeddedFields(type.home, type.name) : [];
  const json = marked.replace(/(?<!\?)\?+$/, '');
  const omission = (['never', 'omitempty', 'omitzero'] as const)[marked.length - json.length] ?? 'omitzero';
  return [{ json, embedded: [], type, omission }];
}

function embeddedFields(home: string, name: string): readonly GoField[] {
  const fields = [...(goStruct(home, name)?.fields.values() ?? [])];
  return fields.map((field) => ({ ...field, embedded: [name, ...field.embedded] }));
}

function parseType(home: string, type: string): GoType {
  if (type.startsWith('*')) return { form: 'pointer', element: parseType(home, type.slice(1)) };
  if (type.startsWith('[]')) return { form: 'slice', element: parseType(home, type.slice(2)) };
  if (type.startsWith('{}')) return { form: 'map', element: parseType(home, type.slice(2)) };
  if (type.startsWith('$')) return { form: 'special', name: type.slice(1) };
  const dot = type.lastIndexOf('.');
  if (dot >= 0) return { form: 'struct', home: type.slice(0, dot), name: type.slice(dot + 1) };
  // seam: names of structs start with a capital letter, those of scalars do not
  return /^[a-z]/.test(type)
    ? { form: 'scalar', name: type as GoScalar }
    : { form: 'struct', home, name: type };
}

/** Returns the home of the structs of a group version. */
export function homeOf(group: string, version: string): string {
  return `${group === '' ? 'core' : group}/${version}`;
}

/** Returns a type as Go prints it: `[]v1.Container`, `map[string]string`. */
export function goTypeName(type: GoType): string {
  switch (type.form) {
    case 'scalar':
      return { double: 'float64', bytes: '[]uint8' }[String(type.name)] ?? type.name;
    case 'special':
      return packages[type.name] ?? `v1.${type.name}`;
    case 'struct':
      return `${type.home.slice(type.home.lastIndexOf('/') + 1)}.${type.name}`;
    case 'pointer':
      return goTypeName(type.element);
    case 'slice':
      return `[]${goTypeName(type.element)}`;
    default:
      return `map[string]${goTypeName(type.element)}`;
  }
}

const packages: Readonly<Record<string, string>> = {
  Quantity: 'resource.Quantity',
  IntOrString: 'intstr.IntOrString',
  RawExtension: 'runtime.RawExtension',
};
