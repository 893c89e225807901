import { stringOf } from '../../common/readable.ts';
import type { Table, TableColumn, TableRow } from './table.ts';

/** Options of `tableText`. */
export interface TableTextOptions {
  /** Includes columns of lower priority, as `kubectl get -o wide`. Default: false. */
  readonly wide?: boolean | undefined;
  /** Includes the namespaces of the objects as first column, as `kubectl get -A`. Default: false. */
  readonly namespaces?: boolean | undefined;
  /** Prints the names of the columns in the first line. Default: true. */
  readonly headers?: boolean | undefined;
}

const minimalWidth = 6;
const padding = 3;

/**
 * Formats a table in columns of equal width, as `kubectl get` does. Returns an empty string if there are
 * neither headers nor rows. Namespaces are read from `object` of each row, which must have been requested
 * (`includeObject`).
 */
export function tableText(
  table: Table,
  { wide = false, namespaces = false, headers = true }: TableTextOptions = {},
): string {
  const columns = shownColumns(table, wide);
  const head = columns.map(([, column]) => visible(stringOf(column?.name ?? '').toUpperCase()));
  const cells = (row: TableRow | null): string[] => columns.map(([index]) => cellText(row?.cells?.[index]));
  const line = (row: TableRow): string[] =>
    namespaces ? [cellText(row?.object?.metadata?.namespace), ...cells(row)] : cells(row);
  const top = headers ? [namespaces ? ['NAMESPACE', ...head] : head] : [];
  return aligned([...top, ...table.rows.map(line)]);
}

function aligned(lines: readonly (readonly string[])[]): string {
  const [first = []] = lines;
  const widths = first.map((_, column) =>
    lines.reduce((width, line) => Math.max(width, widthOf(line[column] ?? '') + padding), minimalWidth),
  );
  const padded = (line: readonly string[]): string =>
    line
      .map((cell, column) =>
        column === line.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)),
      )
      .join('');
  return lines.map((line) => `${padded(line)}\n`).join('');
}

/** Returns the number of characters, some of which are two UTF-16 units. */
function widthOf(text: string): number {
  let width = 0;
  for (const _ of text) width += 1;
  return width;
}

function shownColumns(table: Table, wide: boolean): readonly (readonly [number, TableColumn])[] {
  // The values are not validated: definitions and rows may have any type.
  return [...table.columnDefinitions.entries()].filter(([, column]) => {
    const priority: unknown = column?.priority;
    return wide || !(typeof priority === 'number' && priority > 0);
  });
}

/** Escapes control characters, so that data of a server cannot control a terminal. */
function visible(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, (character) => {
    if (character === '\u001b') return '^[';
    if (character === '\r') return '\\r';
    return character;
  });
}

/** Returns the first line of a cell, followed by `...` if there are more. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  const text = stringOf(cell);
  const [line = ''] = text.split(/[\f\n\r]/, 1);
  return visible(line) + (line.length < text.length ? '...' : '');
}
