/** Positions of fields in YAML, for the errors of a server. */
import { isApiError } from '@kgen/runtime';
import { fieldSteps } from '@kgen/schema/values/field-steps';
import type { TextError } from 'kgen/commands';
import { isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml';

/** Returns the errors of a request with an object, at the lines of its fields. */
export function errorsIn(text: string, document: number, error: unknown): readonly TextError[] {
  const place = placesOf(text, document);
  const message = error instanceof Error ? error.message : String(error);
  // `loadYaml` names the line.
  const [, line, column] = /^yaml:(\d+):(\d+): /.exec(message) ?? [];
  if (line !== undefined) return [{ line: Number(line), column: Number(column), message }];
  const causes = isApiError(error) ? (error.details?.causes ?? []) : [];
  const placed = causes.map(({ field = '', message: each = '' }) => ({
    ...place(field),
    message: `${field}: ${each}`,
  }));
  if (placed.length > 0) return placed;
  // Strict decoding has no causes.
  const unknown = [...message.matchAll(/(?:unknown|duplicate) field "([^"]+)"/g)];
  if (unknown.length === 0) return [{ ...place(''), message }];
  return unknown.map(([each, field = '']) => ({ ...place(field), message: each }));
}

/** Returns a function that returns the place of a field, or of the nearest field around it. */
function placesOf(text: string, document: number): (field: string) => Pick<TextError, 'line' | 'column'> {
  const counter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: counter, logLevel: 'silent' });
  const present = 'empty' in documents ? [] : documents.filter(({ contents }) => contents !== null);
  const root: unknown = present[document]?.contents;
  return (field) => {
    const { line, col } = counter.linePos(offsetOf(root, keysOf(field)));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
}

/** `spec.containers[0].ports[web].name` has the keys spec, containers, 0, ports, web and name. */
function keysOf(field: string): readonly string[] {
  return fieldSteps(field).map(({ name, key = '' }) => name ?? key);
}

function offsetOf(root: unknown, keys: readonly string[]): number {
  let [node, offset] = [root, startOf(root)];
  for (const key of keys) {
    if (isMap(node)) {
      const pair = node.items.find((each) => isScalar(each.key) && String(each.key.value) === key);
      if (!isPair(pair)) break;
      [node, offset] = [pair.value, startOf(pair.key)];
    } else if (isSeq(node)) {
      const item = node.items[Number(key)];
      if (item === undefined) break;
      [node, offset] = [item, startOf(item)];
    } else break;
  }
  return offset;
}

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}
