/** `schemas.ts` of a group version: the schemas of its kinds as data, which descriptors load on demand. */
import { apiVersionOf } from '../common/names.ts';
import { isList } from '../input/json.ts';
import type { GroupVersionSchemas, JsonObject, JsonValue, Model } from '../model/ir.ts';
import type { EmitOptions } from './options.ts';
import { lineWidth } from './text/break-lines.ts';
import { comment } from './text/docs.ts';
import { objectKey, quoted } from './text/literals.ts';
import { Module } from './text/module.ts';
import { extension, folder, runtimeSpecifier } from './text/paths.ts';

/** Returns the kinds that have a schema, such as `apps/v1/Deployment`. */
export function describedKinds({ schemas }: Model): ReadonlySet<string> {
  return new Set(schemas.flatMap(({ home, kinds }) => [...kinds.keys()].map((kind) => keyOf(home, kind))));
}

function keyOf(home: GroupVersionSchemas['home'], kind: string): string {
  return `${apiVersionOf(home)}/${kind}`;
}

export function schemasModule(
  { definitions, kinds, imports, parts }: GroupVersionSchemas,
  options: EmitOptions,
): Module {
  const module = new Module(runtimeSpecifier(options, 2), ['schemas', ...parts.values()]);
  declareParts(parts, module);
  const loaders = imports.map((from) => {
    const specifier = quoted(`../../${folder(from)}/schemas${extension(options)}`);
    return `    ${objectKey(apiVersionOf(from))}: () => import(${specifier}).then((module) => module.schemas),\n`;
  });
  const members = [
    `  definitions: ${objectText(Object.fromEntries(definitions), '  ', parts)},\n`,
    `  kinds: ${objectText(Object.fromEntries(kinds), '  ')},\n`,
    loaders.length === 0 ? '  imports: {},\n' : `  imports: {\n${loaders.join('')}  },\n`,
  ];
  module.constant({
    docs: comment(['Schemas of this group version, as API servers publish them.'], [], ''),
    name: 'schemas',
    type: module.runtimeType('SchemaModule'),
    value: `{\n${members.join('')}}`,
  });
  return module;
}

/**
 * Declares a constant for each part that occurs more than once: compilers would need seconds for the repeated
 * parts of large definitions.
 */
function declareParts(parts: PartNames, module: Module): void {
  for (const [part, name] of parts) {
    const text = objectText(part, '', parts);
    const head = `const ${name}: ${module.runtimeType('SchemaDocument')} = `;
    module.add({ ts: `${head}${text};\n`, dts: '', js: `const ${name} = ${text};\n` });
  }
}

/** Names of the constants of parts. */
type PartNames = GroupVersionSchemas['parts'];

const noNames: PartNames = new Map();

/** Columns of a line for its value: without the comma behind it. */
const columns = lineWidth - 1;

/** Returns an object literal with a member per line, behind a line that is indented by `indent`. */
export function objectText(value: JsonObject, indent: string, names: PartNames = noNames): string {
  const inner = `${indent}  `;
  const members = Object.entries(value).map(([key, member]) => {
    const head = `${inner}${objectKey(key)}: `;
    return `${head}${valueText(member, inner, head.length, names)},\n`;
  });
  return members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`;
}

/**
 * Returns a literal that starts in the line of a key and fits the width, or has a member per line.
 * `indent` is the indentation of that line, and `taken` the number of its columns before the literal.
 */
function valueText(value: JsonValue, indent: string, taken: number, names: PartNames): string {
  const room = columns - taken;
  const line = lineText(value, room, names);
  if (line !== undefined && line.length <= room) return line;
  if (isList(value)) return listText(value, indent, names);
  return typeof value === 'object' && value !== null ? objectText(value, indent, names) : scalarText(value);
}

/** Scalars share lines, objects and lists have lines of their own. */
function listText(items: readonly JsonValue[], indent: string, names: PartNames): string {
  const inner = `${indent}  `;
  const lines: string[] = [];
  let open = '';
  for (const item of items) {
    const text = `${valueText(item, inner, inner.length, names)},`;
    const isScalar = typeof item !== 'object' || item === null;
    if (open !== '' && isScalar && open.length + 1 + text.length <= lineWidth) {
      open = `${open} ${text}`;
      continue;
    }
    if (open !== '') lines.push(open);
    open = isScalar ? inner + text : '';
    if (!isScalar) lines.push(inner + text);
  }
  if (open !== '') lines.push(open);
  return `[\n${lines.join('\n')}\n${indent}]`;
}

/** Returns a literal in one line, or `undefined` once it is longer than `room`. */
function lineText(value: JsonValue, room: number, names: PartNames): string | undefined {
  if (typeof value !== 'object' || value === null) return scalarText(value);
  const name = isList(value) ? undefined : names.get(value);
  if (name !== undefined) return name;
  const list = isList(value);
  const parts: string[] = [];
  let left = room - 4;
  for (const [key, member] of Object.entries(value)) {
    if (left < 0) return undefined;
    const text = lineText(member, left, names);
    if (text === undefined) return undefined;
    const part = list ? text : `${objectKey(key)}: ${text}`;
    left -= part.length + 2;
    parts.push(part);
  }
  if (parts.length === 0) return list ? '[]' : '{}';
  return list ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
}

function scalarText(value: string | number | bigint | boolean | null): string {
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'bigint' ? `${value}n` : String(value);
}
