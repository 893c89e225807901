/** The view of requests, with filters. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ViewRequest, ViewRun } from '../format.ts';
import { eventAt } from './model/run-model.ts';
import { durationText, eventText, resourceText, resultText, targetText, timeText } from './model/texts.ts';
import { yamlOf } from './model/yaml.ts';
import {
  Block,
  Choice,
  choicesOf,
  Details,
  Facts,
  Filter,
  ObjectLink,
  type RunProps,
  Site,
} from './parts.tsx';
import { hrefOf } from './route.ts';
import { type RowColumn, Rows } from './rows.tsx';

/** Filters of requests; empty for all. `slow` is a duration in milliseconds. */
interface RequestFilter {
  readonly user: string;
  readonly verb: string;
  readonly resource: string;
  readonly status: string;
  readonly name: string;
  readonly slow: string;
}

const everything: RequestFilter = { user: '', verb: '', resource: '', status: '', name: '', slow: '' };

const durations = [
  ['', 'any'],
  ['10', 'at least 10 ms'],
  ['100', 'at least 100 ms'],
  ['1000', 'at least 1 s'],
] as const;

/** List of all requests. */
export function Requests({ model, index, selected, onSelect }: RunProps): JSX.Element {
  const { run } = model;
  const [filter, setFilter] = useState(everything);
  const all = useMemo(() => run.events.filter((event) => event.kind === 'request'), [run]);
  const rows = useMemo(() => all.filter((request) => isMatch(request, filter)), [all, filter]);
  const current = eventAt(run, Number(selected ?? Number.NaN));
  const request = current?.kind === 'request' ? current : undefined;
  return (
    <>
      <Filters {...{ all, count: rows.length, filter, setFilter }} />
      <div class="split">
        <Rows
          {...{ id: 'request', label: 'Requests', rows, columns: columnsOf(run.clock, all.some(userOf)) }}
          selected={request === undefined ? -1 : rows.indexOf(request)}
          onSelect={(row) =>
            rows[row] !== undefined && onSelect(String(run.events.indexOf(rows[row]) + (run.firstEvent ?? 0)))
          }
          classOf={({ result, isWrite }) =>
            `${result === 'failed' || result === 'lost' ? 'bad' : ''} ${isWrite ? 'write' : ''}`
          }
          empty="No request matches."
        />
        {request === undefined ? (
          <Details title="Details">
            <p class="quiet">Select a request to see its body and its response.</p>
          </Details>
        ) : (
          <RequestDetails {...{ model, index, request }} />
        )}
      </div>
    </>
  );
}

interface FiltersProps {
  readonly all: readonly ViewRequest[];
  readonly count: number;
  readonly filter: RequestFilter;
  readonly setFilter: (filter: RequestFilter) => void;
}

function Filters({ all, count, filter, setFilter }: FiltersProps): JSX.Element {
  const choices = [
    ['user', 'User', all.map(userOf)],
    ['verb', 'Verb', all.map(({ verb }) => verb)],
    ['resource', 'Resource', all.map(({ target }) => resourceText(target))],
    ['status', 'Status', all.map(resultText)],
  ] as const;
  return (
    <div class="tools">
      {choices.map(([name, label, values]) => {
        const options = choicesOf(values, 'all');
        const onChange = (value: string): void => setFilter({ ...filter, [name]: value });
        // Recordings have no users.
        return options.length > 1 && <Choice {...{ label, value: filter[name], options, onChange }} />;
      })}
      <Choice
        label="Duration"
        value={filter.slow}
        options={durations}
        onChange={(slow) => setFilter({ ...filter, slow })}
      />
      <Filter label="Name" value={filter.name} onChange={(name) => setFilter({ ...filter, name })} />
      <span class="quiet" role="status">
        {count} of {all.length} requests
      </span>
    </div>
  );
}

function userOf({ user, process }: ViewRequest): string {
  return user || process;
}

function isMatch(request: ViewRequest, { user, verb, resource, status, name, slow }: RequestFilter): boolean {
  const { at, until = at, target } = request;
  return (
    (user === '' || userOf(request) === user) &&
    (verb === '' || request.verb === verb) &&
    (resource === '' || resourceText(target) === resource) &&
    (status === '' || resultText(request) === status) &&
    targetText(target).includes(name) &&
    until - at >= Number(slow)
  );
}

function columnsOf(clock: ViewRun['clock'], hasUsers: boolean): readonly RowColumn<ViewRequest>[] {
  const user: RowColumn<ViewRequest> = { title: 'User', width: 'minmax(0, 1fr)', isWide: true, cell: userOf };
  return [
    { title: 'Time', width: '7.5rem', cell: ({ at }) => timeText({ clock }, at) },
    { title: 'Request', width: 'minmax(0, 4fr)', cell: (request) => eventText(request) },
    ...(hasUsers ? [user] : []),
    { title: 'Status', width: '6rem', cell: (request) => resultText(request) },
    {
      ...{ title: 'Took', width: '4.5rem', isWide: true },
      cell: ({ at, until }) => (until === undefined ? '' : durationText(until - at)),
    },
  ];
}

interface RequestProps extends Pick<RunProps, 'model' | 'index'> {
  readonly request: ViewRequest;
}

function RequestDetails({ model, index, request }: RequestProps): JSX.Element {
  const { at, until, target, verb, subresource, reconcile, site, error, faults, body, content } = request;
  const source = model.reconciles.get(reconcile ?? Number.NaN);
  return (
    <Details title={`${verb} ${targetText(target, subresource)}`}>
      <Facts
        facts={[
          ['Object', <ObjectLink {...{ model, index, target }} />],
          ['Time', timeText(model.run, at)],
          ['Status', resultText(request)],
          ...(until === undefined ? [] : [['Took', durationText(until - at)] as const]),
          ...(faults.length === 0 ? [] : [['Faults', faults.join(', ')] as const]),
          ...(site === undefined ? [] : [['Line', <Site site={site} />] as const]),
          ...(source === undefined
            ? []
            : [
                [
                  'Reconcile',
                  <a href={hrefOf({ view: 'reconciles', run: index, selected: String(source.number) })}>
                    #{source.number}
                  </a>,
                ] as const,
              ]),
        ]}
      />
      {error !== undefined && <pre class="error">{error}</pre>}
      {body !== undefined && (
        <>
          <h3>Body</h3>
          <Block kind="yaml" text={yamlOf(body)} />
        </>
      )}
      {content !== undefined && (
        <>
          <h3>Response</h3>
          <Block kind="yaml" text={yamlOf(content)} />
        </>
      )}
    </Details>
  );
}
