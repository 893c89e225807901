/** Place in the page, as the fragment of its address: links and the history of the browser work. */

/** Views of the page, in their order. */
export const viewNames = [
  'reconciles',
  'failure',
  'objects',
  'queues',
  'requests',
  'tables',
  'play',
] as const;

/** A view of the page. */
export type ViewName = (typeof viewNames)[number];

/** A view and its selection. */
export interface Route {
  readonly view: ViewName;
  /** Index of the run, or of the failure in `failure`. */
  readonly run: number;
  /** Number of a reconcile, identity of an object, or index of an event or row. */
  readonly selected?: string | undefined;
}

/** Returns the address of a route. */
export function hrefOf({ view, run, selected }: Route): string {
  const query = new URLSearchParams({ run: String(run), ...(selected !== undefined && { selected }) });
  return `#${view}?${query}`;
}

/** Returns the route of a fragment; `undefined` for another one. */
export function routeOf(hash: string): Route | undefined {
  const [name, query = ''] = hash.replace(/^#/, '').split('?');
  const view = viewNames.find((each) => each === name);
  if (view === undefined) return undefined;
  const parameters = new URLSearchParams(query);
  const run = Number(parameters.get('run'));
  return { view, run: Number.isInteger(run) ? run : 0, selected: parameters.get('selected') ?? undefined };
}
