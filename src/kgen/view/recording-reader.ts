/** Reads recordings and increments of them into a run. `docs/replay.md` describes their lines. */
import type {
  ViewCause,
  ViewChange,
  ViewEvent,
  ViewInformer,
  ViewQueue,
  ViewQueued,
  ViewReconcile,
  ViewState,
  ViewTarget,
} from './format.ts';
import { type FetchLines, fetchOf, requestOf } from './recorded-requests.ts';
import { type Line, linesOf, recordsIn, textOf } from './recording-lines.ts';
import type { RunBuilder } from './run-builder.ts';
import { isRecord, isSecret, metadataOf, type Record, shownContent } from './secrets.ts';

/** First lines of a recording, and of an increment. */
export const recordingType = 'kgen recording';
const incrementType = 'kgen recording increment';

/** A request or reconcile without its end, and its place in the run. */
interface Open {
  readonly line: Line;
  readonly index: number;
}

/** Reads the lines of one source into a run. */
export class RecordingReader {
  readonly #builder: RunBuilder;
  readonly #source: 'operator' | 'cluster';
  readonly #informers = new Map<unknown, Record>();
  readonly #requests = new Map<unknown, Open>();
  readonly #fetches = new Map<unknown, Open & Pick<FetchLines, 'head'>>();
  readonly #reconciles = new Map<unknown, Open>();
  #header: Record = {};
  #position = 0;
  /** Number of the reconciles of earlier processes. */
  #before = 0;
  #from = Number.POSITIVE_INFINITY;
  #to = 0;

  constructor(builder: RunBuilder, source: 'operator' | 'cluster' = 'operator') {
    this.#builder = builder;
    this.#source = source;
  }

  /** First line of the last recording. */
  get header(): Record {
    return this.#header;
  }

  /** Informers of the process by their numbers. */
  get informers(): ReadonlyMap<unknown, Record> {
    return this.#informers;
  }

  /** Time of the first line. */
  get from(): number {
    return this.#from;
  }

  /** Time of the last line. */
  get to(): number {
    return this.#to;
  }

  /** Adds a recording or an increment. An increment of an unknown recording has no effect. */
  addText(text: string): void {
    const [head, ...lines] = linesOf(text);
    if (head !== undefined) this.add(head, lines);
  }

  /** @param head first line */
  add(head: Line, lines: readonly Line[]): void {
    const isIncrement = head.type === incrementType;
    if (isIncrement && head.entry['instance'] !== this.#header['instance']) return;
    const skipped = isIncrement ? 0 : this.#begin(head.entry, lines);
    if (isIncrement) this.#position = Number(head.entry['position']) || 0;
    this.#to = Math.max(this.#to, Date.parse(textOf(head.entry['to'])) || head.at);
    let number = 0;
    for (const line of lines) {
      const isEntry = !(line.type in initial);
      if (isEntry) number += 1;
      if (!isEntry || number > skipped) this.#line(line);
      this.#to = Math.max(this.#to, line.at);
    }
  }

  /** Begins a recording. Returns the number of its entries that an earlier one of the process had. */
  #begin(header: Record, lines: readonly Line[]): number {
    const { instance } = header;
    const isSame = instance !== undefined && instance === this.#header['instance'];
    const entries = lines.filter(({ type }) => !(type in initial)).length;
    const position = Number(header['position']) || 0;
    const informers = lines.filter(
      ({ type, entry }) => type === 'informer' && !this.#informers.has(entry['informer']),
    );
    // A position counts informers, too.
    const missed = position - this.#position - informers.length;
    if (!isSame) this.#restart();
    this.#from = Math.min(this.#from, Date.parse(textOf(header['from'])) || 0);
    this.#header = header;
    this.#position = position;
    return isSame ? Math.max(0, entries - missed) : 0;
  }

  #restart(): void {
    for (const each of [this.#informers, this.#requests, this.#fetches, this.#reconciles]) each.clear();
    this.#before = this.#builder.reconciles.reduce(
      (most, { number }) => Math.max(most, number),
      this.#before,
    );
  }

  #line(line: Line): void {
    const { type, at, entry } = line;
    const builder = this.#builder;
    switch (type) {
      case 'informer':
        this.#informers.set(entry['informer'], entry);
        break;
      case 'object':
      case 'change':
        builder.addChange(this.#changeOf(line));
        break;
      case 'request':
        this.#requests.set(entry['request'], { line, index: this.#request(line) });
        break;
      case 'response':
        this.#responded(line);
        break;
      case 'fetch':
        this.#fetches.set(entry['request'], { line, index: builder.add(this.#fetch({ begin: line })) });
        break;
      case 'fetched':
      case 'fetched body':
        this.#fetched(line);
        break;
      case 'start':
        this.#reconciles.set(entry['run'], {
          line,
          index: builder.addReconcile(this.#reconcile(line)),
        });
        break;
      case 'end':
        this.#ended(line);
        break;
      case 'state':
        // The API server has neither queues nor informers.
        if (this.#source === 'operator') builder.addState(this.#stateOf(line));
        break;
      default: {
        const event = eventOf(type, at, entry, this.#before);
        if (event !== undefined) builder.add(event);
      }
    }
  }

  #changeOf({ type, at, entry }: Line): ViewChange {
    const informer = this.#informers.get(entry['informer']) ?? {};
    const { object, change } = entry;
    const metadata = metadataOf(object);
    const target = {
      ...{ group: textOf(informer['group']), resource: textOf(informer['resource']) },
      ...{ namespace: textOf(metadata['namespace']), name: textOf(metadata['name']) },
    };
    const isChange = change === 'add' || change === 'update' || change === 'delete';
    const content = entry['omittedBytes'] === undefined ? withKind(object, informer) : undefined;
    return {
      ...{
        kind: 'change',
        at: type === 'object' ? Date.parse(textOf(this.#header['from'])) || 0 : at,
        target,
      },
      change: isChange ? changeNames[change] : 'existing',
      ...(content !== undefined && { content: shownContent(content, isSecret(target)) }),
    };
  }

  #request(line: Line): number {
    return this.#builder.addRequest(this.#numbered(requestOf(line)), this.#source);
  }

  #responded(line: Line): void {
    const open = this.#requests.get(line.entry['request']);
    if (open === undefined) return;
    this.#requests.delete(line.entry['request']);
    this.#builder.endRequest(open.index, this.#numbered(requestOf(open.line, line)), this.#source);
  }

  /** Reconciles of several processes have different numbers. */
  #numbered<T extends { readonly reconcile?: number }>(request: T): T {
    const { reconcile } = request;
    return reconcile === undefined ? request : { ...request, reconcile: reconcile + this.#before };
  }

  #fetch(lines: FetchLines): ViewEvent {
    return this.#numbered(fetchOf(lines, this.#header['secrets'] !== false));
  }

  #fetched(line: Line): void {
    const number = line.entry['request'];
    const open = this.#fetches.get(number);
    if (open === undefined) return;
    const isHead = line.type === 'fetched';
    const head = isHead ? line : open.head;
    const lines = { begin: open.line, head, ...(!isHead && { end: line }) };
    this.#builder.replace(open.index, this.#fetch(lines));
    if (isHead && line.entry['hasBody'] !== false) this.#fetches.set(number, { ...open, head: line });
    else this.#fetches.delete(number);
  }

  #reconcile({ at, entry }: Line, end?: Line): ViewReconcile {
    const key = isRecord(entry['key']) ? entry['key'] : {};
    const outcome = isRecord(end?.entry['outcome']) ? end.entry['outcome'] : {};
    const { afterMs } = outcome;
    const [error, worker] = [end?.entry['error'], entry['worker']];
    return {
      number: Number(entry['run']) + this.#before,
      controller: textOf(entry['controller']),
      ...(typeof worker === 'number' && { worker }),
      ...{ namespace: textOf(key['namespace']), name: textOf(key['name']), from: at },
      ...(end !== undefined && { until: end.at }),
      attempt: Number(entry['attempt']) || 1,
      causes: recordsIn(entry['cause']).map((cause) => causeOf(cause, at, this.#builder)),
      reads: recordsIn(end?.entry['reads']).map(readOf),
      outcome: textOf(outcome['type']),
      ...(typeof afterMs === 'number' && { afterMs }),
      ...(typeof error === 'string' && { error }),
    };
  }

  #ended(line: Line): void {
    const open = this.#reconciles.get(line.entry['run']);
    if (open === undefined) return;
    this.#reconciles.delete(line.entry['run']);
    this.#builder.endReconcile(open.index, this.#reconcile(open.line, line));
  }

  #stateOf({ at, entry }: Line): ViewState {
    return {
      at,
      queues: recordsIn(entry['queues']).map(queueOf),
      informers: recordsIn(entry['informers']).map((each) => this.#informerOf(each)),
    };
  }

  #informerOf(entry: Record): ViewInformer {
    const { lastEventAt, lagMs } = entry;
    const { group, resource } = this.#informers.get(entry['informer']) ?? {};
    const { length } = textOf(group);
    return {
      resource: `${textOf(resource)}${length === 0 ? '' : `.${textOf(group)}`}`,
      objects: Number(entry['objects']) || 0,
      isSynced: entry['isSynced'] === true,
      ...(typeof lastEventAt === 'number' && { lastEventAt }),
      queued: Number(entry['queued']) || 0,
      ...(typeof lagMs === 'number' && { lagMs }),
    };
  }
}

/** Lines that are not entries of the recorder. */
const initial = { informer: 1, object: 1, state: 1, 'end of recording': 1 } as const;

const changeNames = { add: 'create', update: 'update', delete: 'delete' } as const;

/** Objects of informers may lack their kind. */
function withKind(object: unknown, { group, version, kind }: Record): unknown {
  if (!isRecord(object)) return object;
  const apiVersion = [group, version].filter((part) => part !== '').join('/');
  return { apiVersion, kind, ...object };
}

function eventOf(type: string, at: number, entry: Record, before: number): ViewEvent | undefined {
  switch (type) {
    case 'review': {
      const { path, status } = entry;
      return { kind: 'note', at, text: `review of the webhook ${textOf(path)}: ${textOf(status)}` };
    }
    case 'event': {
      const { run, eventType, reason, note, regarding } = entry;
      const { apiVersion, kind, namespace, name } = isRecord(regarding) ? regarding : {};
      const reference = {
        ...{ apiVersion: textOf(apiVersion), kind: textOf(kind) },
        ...{ namespace: textOf(namespace), name: textOf(name) },
      };
      return {
        ...{
          kind: 'event',
          at,
          type: eventType === 'Warning' ? 'Warning' : 'Normal',
          reason: textOf(reason),
        },
        ...{ note: textOf(note), regarding: reference },
        ...(typeof run === 'number' && { reconcile: run + before }),
      };
    }
    case 'lease': {
      const { lease, isHeld, holder, shards } = entry;
      return {
        ...{ kind: 'lease', at, lease: textOf(lease), isHeld: isHeld === true, holder: textOf(holder) },
        ...(typeof shards === 'number' && { shards }),
      };
    }
    case 'log': {
      const { level, message, fields, run } = entry;
      const known = levels.find((each) => each === level) ?? 'info';
      return {
        ...{ kind: 'log', at, level: known, message: textOf(message), fields: textOf(fields) },
        ...(typeof run === 'number' && { reconcile: run + before }),
      };
    }
    default:
      return undefined;
  }
}

const levels = ['debug', 'info', 'warn', 'error'] as const;

function readOf(read: Record): ViewReconcile['reads'][number] {
  const { count } = read;
  return {
    ...{
      resource: textOf(read['resource']),
      namespace: textOf(read['namespace']),
      name: textOf(read['name']),
    },
    found: count === undefined ? textOf(read['resourceVersion']) : `${textOf(count)} objects`,
  };
}

function queueOf(queue: Record): ViewQueue {
  return {
    ...{ controller: textOf(queue['controller']), workers: Number(queue['workers']) || 0 },
    running: recordsIn(queue['running']).map(queuedOf),
    waiting: recordsIn(queue['waiting']).map(queuedOf),
    more: Number(queue['more']) || 0,
  };
}

function queuedOf({ namespace, name, since, due, reason }: Record): ViewQueued {
  return {
    ...{ namespace: textOf(namespace), name: textOf(name), since: Number(since) || 0 },
    ...(typeof due === 'number' && { due }),
    ...(typeof reason === 'string' && { reason }),
  };
}

function causeOf(cause: Record, before: number, builder: RunBuilder): ViewCause {
  const [informer, key] = [textOf(cause['informer']), textOf(cause['object'])];
  const type = textOf(cause['type']);
  if (key === '') return { type, object: '' };
  const own = builder.recent(key).filter(({ at, target }) => at <= before && isOf(target, informer));
  const { index: event } = own.findLast(({ change }) => causeTypes[change] === type) ?? own.at(-1) ?? {};
  return { type, object: `${informer} ${key}`, ...(event !== undefined && { event }) };
}

const causeTypes = { existing: 'add', create: 'add', update: 'update', delete: 'delete' } as const;

/** Names of informers begin with their resource: `deployments.apps`. */
function isOf({ group, resource }: ViewTarget, informer: string): boolean {
  const full = group === '' ? resource : `${resource}.${group}`;
  return informer === full || informer === resource || informer.startsWith(`${full}/`);
}
