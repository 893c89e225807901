/** Documents from recordings of the flight recorder, whose format `docs/replay.md` describes. */
import type { ViewCause, ViewChange, ViewDocument, ViewEvent, ViewReconcile, ViewTarget } from './format.ts';
import { fetchOf, type Responses, requestOf } from './recorded-requests.ts';
import { type Line, linesOf, recordsIn, textOf } from './recording-lines.ts';
import { maskedRun, maskOf } from './secret-values.ts';
import { isRecord, isSecret, metadataOf, type Record, shownContent } from './secrets.ts';

/** Lines of a recording that belong to another one. */
interface Joined extends Responses {
  /** From the time of the recording's begin. */
  readonly from: number;
  readonly hasSecrets: boolean;
  readonly informers: ReadonlyMap<unknown, Record>;
  /** Ends by the number of their reconcile. */
  readonly ends: ReadonlyMap<unknown, Line>;
}

/** Reason of a recording that an operator serves while it runs. */
const liveReason = 'live';

/** First line of a recording. */
export const recordingType = 'kgen recording';

/**
 * Returns the document of a recording. A recording whose end is missing is shown as far as it reaches.
 * @throws {Error} if it is not a recording of a supported version; `line N: …`
 */
export function viewOfRecording(text: string): ViewDocument {
  const lines = linesOf(text);
  const [first, ...rest] = lines;
  const header = first?.entry ?? {};
  if (header['type'] !== recordingType)
    throw new Error('line 1: this is not a recording of the flight recorder');
  if (header['version'] !== 1)
    throw new Error(`line 1: version ${String(header['version'])} of recordings needs a newer kgen`);
  const parts = joined(header, rest);
  const { from, hasSecrets, informers } = parts;
  const events = rest.flatMap((line) => eventOf(line, parts));
  const changes = changesOf(events);
  const to = Date.parse(textOf(header['to'])) || (events.at(-1)?.at ?? from);
  const reconciles = rest
    .filter(({ type }) => type === 'start')
    .map((line) => reconcileOf(line, parts, changes));
  const complete = { name: 'recording', clock: 'utc', from, to, events, reconciles } as const;
  // The recorder has masked other recordings.
  const run = hasSecrets ? maskedRun(complete, maskOf(rest, informers)) : complete;
  const title = `${textOf(header['program'])}${header['reason'] === liveReason ? '' : ': recording'}`;
  return {
    ...{ type: 'kgen view', version: 1, title, facts: factsOf(header, rest) },
    ...{ runs: [run], failures: [], tables: [] },
  };
}

function joined(header: Record, lines: readonly Line[]): Joined {
  const by = (type: string, name: string): ReadonlyMap<unknown, Line> =>
    new Map(lines.filter((line) => line.type === type).map((line) => [line.entry[name], line]));
  const informers = new Map([...by('informer', 'informer')].map(([number, { entry }]) => [number, entry]));
  const [from, hasSecrets] = [Date.parse(textOf(header['from'])) || 0, header['secrets'] !== false];
  return {
    ...{ from, hasSecrets, informers, ends: by('end', 'run'), responses: by('response', 'request') },
    ...{ fetched: by('fetched', 'request'), bodies: by('fetched body', 'request') },
  };
}

function factsOf(header: Record, lines: readonly Line[]): readonly string[] {
  const isComplete = lines.at(-1)?.type === 'end of recording';
  const counts = [
    ['dropped', 'older entries were dropped: the recorder keeps the last ones'],
    ['omittedObjects', 'objects were too large for the recording'],
  ] as const;
  const reason = textOf(header['reason']);
  return [
    ...(reason === liveReason ? [] : [`Written because of: ${reason}`]),
    ...counts.flatMap(([name, fact]) =>
      Number(header[name]) > 0 ? [`${Number(header[name])} ${fact}`] : [],
    ),
    ...(isComplete ? [] : ['The end of the recording is missing']),
  ];
}

function eventOf(line: Line, parts: Joined): readonly ViewEvent[] {
  switch (line.type) {
    case 'object':
    case 'change':
      return [changeOf(line, parts)];
    case 'request':
      return [requestOf(line, parts)];
    case 'fetch':
      return [fetchOf(line, parts, parts.hasSecrets)];
    case 'review': {
      const { path, status } = line.entry;
      return [
        { kind: 'note', at: line.at, text: `review of the webhook ${textOf(path)}: ${textOf(status)}` },
      ];
    }
    default:
      return [];
  }
}

const changeNames = { add: 'create', update: 'update', delete: 'delete' } as const;

function changeOf({ type, at, entry }: Line, { informers, from }: Joined): ViewChange {
  const informer = informers.get(entry['informer']) ?? {};
  const { object, change } = entry;
  const metadata = metadataOf(object);
  const [group, resource] = [textOf(informer['group']), textOf(informer['resource'])];
  const [namespace, name] = [textOf(metadata['namespace']), textOf(metadata['name'])];
  const target = { group, resource, namespace, name };
  const isChange = change === 'add' || change === 'update' || change === 'delete';
  const content = entry['omittedBytes'] === undefined ? withKind(object, informer) : undefined;
  return {
    ...{ kind: 'change', at: type === 'object' ? from : at, target },
    change: isChange ? changeNames[change] : 'existing',
    ...(content !== undefined && { content: shownContent(content, isSecret(target)) }),
  };
}

/** Objects of informers may lack their kind. */
function withKind(object: unknown, { group, version, kind }: Record): unknown {
  if (!isRecord(object)) return object;
  const apiVersion = [group, version].filter((part) => part !== '').join('/');
  return { apiVersion, kind, ...object };
}

function reconcileOf({ at, entry }: Line, { ends }: Joined, changes: Changes): ViewReconcile {
  const key = isRecord(entry['key']) ? entry['key'] : {};
  const end = ends.get(entry['run']);
  const outcome = isRecord(end?.entry['outcome']) ? end.entry['outcome'] : {};
  const { afterMs } = outcome;
  const error = end?.entry['error'];
  return {
    number: Number(entry['run']),
    controller: textOf(entry['controller']),
    ...{ namespace: textOf(key['namespace']), name: textOf(key['name']), from: at },
    ...(end !== undefined && { until: end.at }),
    attempt: Number(entry['attempt']) || 1,
    causes: recordsIn(entry['cause']).map((cause) => causeOf(cause, at, changes)),
    reads: recordsIn(end?.entry['reads']).map((read) => ({
      ...{
        resource: textOf(read['resource']),
        namespace: textOf(read['namespace']),
        name: textOf(read['name']),
      },
      found:
        read['count'] === undefined ? textOf(read['resourceVersion']) : `${textOf(read['count'])} objects`,
    })),
    outcome: textOf(outcome['type']),
    ...(typeof afterMs === 'number' && { afterMs }),
    ...(typeof error === 'string' && { error }),
  };
}

/** Changes with their index in the events, by the key of their object. */
type Changes = ReadonlyMap<string, readonly (readonly [change: ViewChange, index: number])[]>;

function changesOf(events: readonly ViewEvent[]): Changes {
  const found = new Map<string, (readonly [ViewChange, number])[]>();
  for (const [index, event] of events.entries()) {
    if (event.kind !== 'change') continue;
    const key = keyOf(event.target);
    const own = found.get(key);
    if (own === undefined) found.set(key, [[event, index]]);
    else own.push([event, index]);
  }
  return found;
}

function keyOf({ namespace, name }: ViewTarget): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

function causeOf(cause: Record, before: number, changes: Changes): ViewCause {
  const [informer, key] = [textOf(cause['informer']), textOf(cause['object'])];
  const type = textOf(cause['type']);
  if (key === '') return { type, object: '' };
  const own = (changes.get(key) ?? []).filter(([{ at, target }]) => at <= before && isOf(target, informer));
  const [, event] = own.findLast(([{ change }]) => causeTypes[change] === type) ?? own.at(-1) ?? [];
  return { type, object: `${informer} ${key}`, ...(event !== undefined && { event }) };
}

const causeTypes = { existing: 'add', create: 'add', update: 'update', delete: 'delete' } as const;

/** Names of informers begin with their resource: `deployments.apps`. */
function isOf({ group, resource }: ViewTarget, informer: string): boolean {
  const full = group === '' ? resource : `${resource}.${group}`;
  return informer === full || informer === resource || informer.startsWith(`${full}/`);
}
