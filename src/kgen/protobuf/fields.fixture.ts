import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Element, Field } from './types.ts';

const document = readFileSync(join(import.meta.dirname, 'fields.md'), 'utf8');

/** Returns the cells of the rows in a chapter of fields.md. */
export function rowsOf(title: string): readonly (readonly string[])[] {
  const [, chapter] = new RegExp(`\n## ${title}\n(.*?)(?:\n## |$)`, 's').exec(document) ?? [];
  if (chapter === undefined) throw new Error(`fields.md has no chapter ${title}`);
  const lines = chapter.split('\n').filter((line) => /^\| \d/.test(line));
  return lines.map((line) => line.split('|').map((cell) => cell.trim()));
}

/**
 * Entries that fields.md lists as removed: fields as `core/v1.PodSpec#42`, messages by key, kinds as
 * `v1 PodStatusResult`.
 */
export const removed: {
  readonly fields: readonly string[];
  readonly messages: readonly string[];
  readonly kinds: readonly string[];
} = {
  fields: rowsOf('Removed fields').map(([, , message, number]) => `${message}#${number}`),
  messages: rowsOf('Removed messages').flatMap(([, , home, names = '']) =>
    names.split(' ').map((name) => `${home}.${name}`),
  ),
  kinds: rowsOf('Removed kinds').flatMap(([, , apiVersion, names = '']) =>
    names.split(' ').map((name) => `${apiVersion} ${name}`),
  ),
};

/** Returns the type of a field in the notation of fields.md and of the other table of the tests. */
export function typeText({ shape, element }: Field): string {
  return { value: '', pointer: '*', slice: '[]', map: '{}' }[shape] + elementText(element);
}

function elementText(element: Element): string {
  if ('scalar' in element) return element.scalar;
  return 'special' in element ? `$${element.special}` : element.message;
}
