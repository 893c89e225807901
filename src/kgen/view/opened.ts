/** Files that the page opens: recordings, and documents of its format. */
import type { ViewDocument } from './format.ts';
import { viewOfRecording } from './recording.ts';
import { recordingType } from './recording-reader.ts';
import { type SchemaNode, viewSchema } from './schema.ts';
import { isRecord } from './secrets.ts';

/** Content of the page in place of a document: its server has the documents. */
export const liveDocument = '{"type":"kgen view live"}';

/**
 * Returns the document of a file.
 * @throws {Error} if it is neither a recording nor a valid document: the line or the member, and the reason
 */
export function documentIn(text: string): ViewDocument {
  const [first = ''] = text.split('\n', 1);
  if (first.includes(`"${recordingType}"`)) return viewOfRecording(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('this is neither a recording of the flight recorder nor a document in JSON');
  }
  const problem = problemOf(value, viewSchema, '');
  if (problem !== undefined) throw new Error(`this is not a document of kgen view: ${problem}`);
  // seam: the schema is that of the type.
  return value as ViewDocument;
}

/** Returns the first violation of a schema: `.runs[0].from must be number`. */
function problemOf(value: unknown, schema: SchemaNode, path: string): string | undefined {
  const { $ref, anyOf, type } = schema;
  if ($ref !== undefined) {
    const target = viewSchema.$defs?.[$ref.replace('#/$defs/', '')];
    return target && problemOf(value, target, path);
  }
  if (anyOf !== undefined) {
    const problems = anyOf.map((each) => problemOf(value, each, path));
    return problems.includes(undefined)
      ? undefined
      : `${path} matches no form of the schema: ${problems.join('; ')}`;
  }
  if (schema.enum?.includes(value) === false)
    return `${path} must be ${schema.enum.map((each) => JSON.stringify(each)).join(' or ')}`;
  if (type === 'array')
    return Array.isArray(value) ? itemProblem(value, schema, path) : `${path} must be array`;
  if (type === 'object')
    return isRecord(value) ? memberProblem(value, schema, path) : `${path || 'it'} must be object`;
  const own: string = typeof value;
  return type === undefined || own === type ? undefined : `${path} must be ${type}`;
}

function itemProblem(
  value: readonly unknown[],
  { items = {} }: SchemaNode,
  path: string,
): string | undefined {
  for (const [index, item] of value.entries()) {
    const problem = problemOf(item, items, `${path}[${index}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function memberProblem(
  value: { readonly [name: string]: unknown },
  { properties = {}, required = [] }: SchemaNode,
  path: string,
): string | undefined {
  const missing = required.find((name) => value[name] === undefined);
  if (missing !== undefined) return `${path}.${missing} is missing`;
  for (const [name, schema] of Object.entries(properties)) {
    const problem = value[name] === undefined ? undefined : problemOf(value[name], schema, `${path}.${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
