/** Owners of the fields of an object, from its `metadata.managedFields`. */
import { isRecord, metadataOf } from '../../secrets.ts';
import { stepOf } from './differences.ts';

/** A program with the fields that it has set. */
export interface FieldOwner {
  /** `shop: Apply of status`. */
  readonly title: string;
  /** Time in ISO 8601; empty without one. */
  readonly time: string;
  /** Paths such as `.spec.replicas` and `.spec.containers[name=app].image`. */
  readonly paths: readonly string[];
}

/** Limits of what is shown: objects of a hostile server may have any number and depth of fields. */
const most = { paths: 500, depth: 50 } as const;

/** Returns the owners in the order of the object. */
export function fieldOwnersOf(content: unknown): readonly FieldOwner[] {
  const { managedFields } = metadataOf(content);
  const entries: readonly unknown[] = Array.isArray(managedFields) ? managedFields : [];
  return entries.filter(isRecord).map(({ manager, operation, subresource, time, fieldsV1 }) => {
    const part = typeof subresource === 'string' && subresource !== '' ? ` of ${subresource}` : '';
    const paths: string[] = [];
    addPaths(fieldsV1, '', 0, paths);
    const title = `${String(manager)}: ${String(operation)}${part}`;
    return { title, time: typeof time === 'string' ? time : '', paths };
  });
}

/** Adds the innermost fields, and those that are owned with their members (`.`). */
function addPaths(fields: unknown, path: string, depth: number, paths: string[]): void {
  if (!isRecord(fields) || paths.length >= most.paths) return;
  const members = Object.entries(fields).filter(([name]) => name !== '.');
  if ((members.length === 0 || depth >= most.depth) && path !== '') paths.push(path);
  if (depth >= most.depth) return;
  for (const [name, inner] of members) addPaths(inner, `${path}${ownedStep(name)}`, depth + 1, paths);
}

/** Returns a step of the format FieldsV1: `f:name`, `k:{"name":"app"}`, `v:"value"` or `i:0`. */
function ownedStep(step: string): string {
  const [kind, rest] = [step.slice(0, 2), step.slice(2)];
  if (kind === 'f:') return stepOf(rest);
  if (kind !== 'k:') return `[${rest}]`;
  const keys = rest.matchAll(/"([^"\\]+)":("(?:[^"\\]|\\.)*"|[^,}]+)/g);
  const text = [...keys]
    .map(([, name, value = '']) => `${name}=${value.replace(/^"(.*)"$/s, '$1')}`)
    .join(',');
  return `[${text || rest}]`;
}
