/** The page: its heading, its views, and files that a user opens. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ViewDocument, ViewTable } from '../format.ts';
import { documentIn } from '../opened.ts';
import { Failure } from './failure.tsx';
import { followDocument } from './live.ts';
import type { Shown } from './model/live-run.ts';
import { modelOf, type RunModel } from './model/run-model.ts';
import { siteLink } from './model/texts.ts';
import { Objects } from './objects.tsx';
import { Choice, Site, Table } from './parts.tsx';
import { HasActions } from './play/actions.ts';
import { Play } from './play/play.tsx';
import { Queues } from './queues.tsx';
import { Reconciles } from './reconciles.tsx';
import { Requests } from './requests.tsx';
import { hrefOf, type Route, routeOf, type ViewName, viewNames } from './route.ts';

/** A page: with the document that it contains, or with those of its server. */
export interface AppProps {
  readonly initial: ViewDocument | undefined;
  readonly isLive: boolean;
}

/** The page. */
export function App({ initial, isLive }: AppProps): JSX.Element {
  const [shown, setShown] = useState(() => (initial === undefined ? undefined : shownOf(initial)));
  const { document } = shown ?? {};
  const [problem, setProblem] = useState('');
  const [hasActions, offer] = useState(false);
  const observer = { show: setShown, report: setProblem, offer };
  useEffect(() => (isLive ? followDocument(observer) : undefined), [isLive]);
  const open = (file: File | undefined): void => {
    if (file === undefined) return;
    file.text().then(
      (text) => {
        try {
          setShown(shownOf(documentIn(text)));
          setProblem('');
          location.hash = '';
        } catch (error) {
          setProblem(`${file.name}: ${error instanceof Error ? error.message : String(error)}`);
        }
      },
      () => setProblem(`${file.name} cannot be read`),
    );
  };
  useDrop(isLive ? undefined : open);
  useEffect(() => {
    globalThis.document.title = document === undefined ? 'kgen view' : `${document.title} - kgen view`;
  }, [document]);
  return (
    <>
      <header class="top">
        <h1>{document?.title ?? 'kgen view'}</h1>
        {document?.facts.map((fact) => (
          <span class="quiet">{fact}</span>
        ))}
        {!isLive && (
          <label class="open">
            Open a file
            <input type="file" onChange={({ currentTarget }) => open(currentTarget.files?.[0])} />
          </label>
        )}
      </header>
      {problem !== '' && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      {shown === undefined ? isLive || <Welcome /> : <Views {...{ ...shown, hasActions }} />}
    </>
  );
}

/** Opens a file that is dropped anywhere on the page. */
function useDrop(open: ((file: File | undefined) => void) | undefined): void {
  useEffect(() => {
    if (open === undefined) return;
    const onDragOver = (event: DragEvent): void => event.preventDefault();
    const onDrop = (event: DragEvent): void => {
      event.preventDefault();
      open(event.dataTransfer?.files[0]);
    };
    addEventListener('dragover', onDragOver);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onDragOver);
      removeEventListener('drop', onDrop);
    };
  }, []);
}

function Welcome(): JSX.Element {
  return (
    <main class="welcome">
      <p>
        Drop a recording of the flight recorder on this page, or open it. The file does not leave your
        computer.
      </p>
    </main>
  );
}

const titles: Readonly<Record<ViewName, string>> = {
  reconciles: 'Reconciles',
  failure: 'Failed simulation',
  objects: 'Objects',
  queues: 'Queues',
  requests: 'Requests',
  tables: 'Coverage',
  play: 'Try',
};

function shownOf(document: ViewDocument): Shown {
  return { document, models: document.runs.map(modelOf) };
}

interface ViewsProps extends Shown {
  /** Whether the server of the page performs actions. */
  readonly hasActions: boolean;
}

function Views({ document, models, hasActions }: ViewsProps): JSX.Element {
  const views = useMemo(
    () => viewNames.filter((view) => (view === 'play' ? hasActions : hasContent(document, view))),
    [document, hasActions],
  );
  const initial = useMemo((): Route => {
    const view = document.failures.length > 0 ? 'failure' : (views[0] ?? 'objects');
    return { view, run: 0 };
  }, [document, views]);
  const [route, replace] = useRoute(initial);
  const run = route.view === 'failure' ? (document.failures[route.run]?.run ?? 0) : route.run;
  return (
    <>
      <nav aria-label="Views">
        {views.map((view) => (
          <a
            href={hrefOf({ view, run: view === 'failure' ? failureOf(document, run) : run })}
            aria-current={view === route.view ? 'page' : undefined}
          >
            {titles[view]}
          </a>
        ))}
        <Runs {...{ document, route, replace }} />
      </nav>
      <main aria-label={titles[route.view]}>
        <HasActions.Provider value={hasActions}>
          <View {...{ document, models, route, replace }} />
        </HasActions.Provider>
      </main>
    </>
  );
}

/** Returns the place that is selected, which links and the history of the browser change. */
function useRoute(initial: Route): readonly [Route, (route: Route) => void] {
  const [route, setRoute] = useState(routeOf(location.hash) ?? initial);
  useEffect(() => {
    const follow = (): void => setRoute(routeOf(location.hash) ?? initial);
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [initial]);
  const replace = (next: Route): void => {
    history.replaceState(null, '', hrefOf(next));
    setRoute(next);
  };
  return [route, replace];
}

function hasContent({ runs, failures, tables }: ViewDocument, view: ViewName): boolean {
  if (view === 'failure') return failures.length > 0;
  if (view === 'tables') return tables.length > 0;
  if (view === 'queues') return runs.some(({ states = [] }) => states.length > 0);
  return view === 'reconciles' ? runs.some(({ reconciles }) => reconciles.length > 0) : runs.length > 0;
}

function failureOf({ failures }: ViewDocument, run: number): number {
  return Math.max(
    0,
    failures.findIndex((failure) => failure.run === run || failure.reference === run),
  );
}

interface ViewProps {
  readonly document: ViewDocument;
  readonly route: Route;
  readonly replace: (route: Route) => void;
}

/** Choice between several runs or failures. */
function Runs({ document: { runs, failures }, route, replace }: ViewProps): JSX.Element | null {
  const isFailure = route.view === 'failure';
  const names = isFailure
    ? failures.map(({ seed, check }) => `seed ${seed}: ${check}`)
    : runs.map(({ name }) => name);
  if (names.length < 2 || route.view === 'tables' || route.view === 'play') return null;
  return (
    <Choice
      {...{ label: isFailure ? 'Failure' : 'Run', value: String(route.run) }}
      options={names.map((name, index) => [String(index), name])}
      onChange={(run) => replace({ view: route.view, run: Number(run) })}
    />
  );
}

function View({
  document,
  models,
  route,
  replace,
}: ViewProps & { readonly models: readonly RunModel[] }): JSX.Element {
  const { view, run, selected } = route;
  const onSelect = (next: string): void => replace({ view, run, selected: next });
  if (view === 'tables') return <Tables tables={document.tables} />;
  if (view === 'play') return <Play />;
  const failure = document.failures[run];
  if (view === 'failure' && failure !== undefined)
    return <Failure {...{ failure, models, selected, onSelect, key: String(run) }} />;
  const model = models[run];
  if (model === undefined) return <p class="empty">The document has no run {run}.</p>;
  const props = { model, index: run, selected, onSelect, key: String(run) };
  if (view === 'queues') return <Queues model={model} />;
  if (view === 'reconciles') return <Reconciles {...props} />;
  return view === 'requests' ? <Requests {...props} /> : <Objects {...props} />;
}

function Tables({ tables }: { readonly tables: readonly ViewTable[] }): JSX.Element {
  const cellOf = (cell: string) => (siteLink(cell) === undefined ? cell : <Site site={cell} />);
  return (
    <div class="tables">
      {tables.map(({ title, columns, rows }) => (
        <Table {...{ title, columns, rows: rows.map((cells) => cells.map(cellOf)) }} />
      ))}
    </div>
  );
}
