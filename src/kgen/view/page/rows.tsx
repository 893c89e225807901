/** A list of any length, of which only the visible rows are elements. */
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** A column of a list. */
export interface RowColumn<T> {
  readonly title: string;
  /** Width as a track of a CSS grid. */
  readonly width: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Whether the column is hidden on narrow screens. */
  readonly isWide?: boolean;
}

interface RowsProps<T> {
  readonly id: string;
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly RowColumn<T>[];
  /** Index of the selected row; -1 without one. */
  readonly selected: number;
  readonly onSelect: (index: number) => void;
  readonly classOf?: (row: T) => string;
  /** Called for the arrow keys to the left and right. */
  readonly onFold?: (index: number, opens: boolean) => void;
  readonly empty: string;
}

/** Height of a row in pixels, as in the style sheet, and the rows beyond the visible ones. */
const rowHeight = 30;
const margin = 10;

/** A list in which arrow keys, Home, End and page keys move the selection. */
export function Rows<T>(props: RowsProps<T>): JSX.Element {
  const { id, label, rows, columns, selected, onSelect, classOf, onFold, empty } = props;
  const list = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const look = (): void => {
    const { scrollTop: top = 0, clientHeight: height = 0 } = list.current ?? {};
    setView({ top, height });
  };
  useLayoutEffect(() => {
    const observer = new ResizeObserver(look);
    if (list.current !== null) observer.observe(list.current);
    return () => observer.disconnect();
  }, [rows.length === 0]);
  useLayoutEffect(() => {
    if (list.current !== null) reveal(list.current, selected);
  }, [selected, rows]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
      onFold?.(selected, event.key === 'ArrowRight');
    const next = nextIndex(event.key, { selected, height: view.height, last: rows.length - 1 });
    if (next === undefined) return;
    event.preventDefault();
    if (rows.length > 0) onSelect(next);
  };
  const first = Math.max(0, Math.floor(view.top / rowHeight) - margin);
  const shown = rows.slice(first, first + Math.ceil(view.height / rowHeight) + 2 * margin);
  const isShown = selected >= first && selected < first + shown.length;
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <div class="rows">
      <Head columns={columns} />
      <div
        {...{ ref: list, class: 'list', role: 'listbox', tabIndex: 0, 'aria-label': label }}
        {...(isShown && { 'aria-activedescendant': `${id}-${selected}` })}
        {...{ onScroll: look, onKeyDown }}
      >
        <div class="space" style={{ height: `${rows.length * rowHeight}px` }}>
          {shown.map((row, index) => (
            <Row
              {...{ row, columns, id: `${id}-${first + index}`, top: (first + index) * rowHeight }}
              {...{ size: rows.length, position: first + index + 1, isSelected: first + index === selected }}
              {...{ kind: classOf?.(row) ?? '', onSelect: () => onSelect(first + index) }}
              key={first + index}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

function Head<T>({ columns }: { readonly columns: readonly RowColumn<T>[] }): JSX.Element {
  return (
    <div class="row head" aria-hidden="true" style={tracks(columns)}>
      {columns.map(({ title, isWide }) => (
        <span class={isWide ? 'wide' : ''}>{title}</span>
      ))}
    </div>
  );
}

interface RowProps<T> {
  readonly id: string;
  readonly row: T;
  readonly columns: readonly RowColumn<T>[];
  readonly top: number;
  readonly size: number;
  readonly position: number;
  readonly isSelected: boolean;
  readonly kind: string;
  readonly onSelect: () => void;
}

function Row<T>({
  id,
  row,
  columns,
  top,
  size,
  position,
  isSelected,
  kind,
  onSelect,
}: RowProps<T>): JSX.Element {
  return (
    <div
      {...{ id, class: `row ${kind}`, role: 'option', 'aria-selected': isSelected, onClick: onSelect }}
      {...{ 'aria-setsize': size, 'aria-posinset': position, style: { ...tracks(columns), top: `${top}px` } }}
    >
      {columns.map(({ cell, isWide }) => (
        <span class={isWide ? 'wide' : ''}>{cell(row)}</span>
      ))}
    </div>
  );
}

/** The style sheet uses the second list of tracks on narrow screens. */
function tracks<T>(columns: readonly RowColumn<T>[]): { readonly [name: string]: string } {
  const widths = (all: readonly RowColumn<T>[]): string => all.map(({ width }) => width).join(' ');
  return { '--tracks': widths(columns), '--narrow': widths(columns.filter(({ isWide }) => isWide !== true)) };
}

interface Position {
  readonly selected: number;
  /** Visible height of the list in pixels. */
  readonly height: number;
  readonly last: number;
}

/** Returns the index to which a key moves the selection; `undefined` for other keys. */
function nextIndex(key: string, { selected, height, last }: Position): number | undefined {
  const page = Math.max(1, Math.floor(height / rowHeight) - 1);
  const targets: { readonly [key: string]: number } = {
    ArrowDown: selected + 1,
    ArrowUp: selected - 1,
    PageDown: selected + page,
    PageUp: selected - page,
    Home: 0,
    End: last,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.min(Math.max(target, 0), last);
}

function reveal(list: HTMLElement, index: number): void {
  if (index < 0) return;
  const top = index * rowHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  const bottom = top + rowHeight - list.clientHeight;
  if (bottom > list.scrollTop) list.scrollTop = bottom;
}
