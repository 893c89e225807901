/** The history of a run: lines that depend on its schedule and the operator only. */
import type { LoggedRequest } from '@kgen/testserver/internal/http/request-log';
import type { Change } from '@kgen/testserver/internal/store/store';
import { isSecret, shownContent } from 'kgen/view';
import { isServiceVerb, mayChange } from './process/services/served-services.ts';
import type { FaultClass } from './schedule/actions.ts';

/** One entry of a history. */
export type Entry =
  | { readonly kind: 'step' | 'note'; readonly atMs: number; readonly text: string }
  | { readonly kind: 'change'; readonly atMs: number; readonly change: Change }
  | RequestEntry;

/** A request of the operator. */
export interface RequestEntry {
  readonly kind: 'request';
  readonly atMs: number;
  readonly replica: string;
  readonly request: LoggedRequest;
  /** Name of the object, which the path of a creation does not contain. */
  readonly name: string;
  /** Line of the operator, if the request is a write; empty if it is not known. */
  readonly site: string;
  readonly faults: FaultClass[];
}

/** One event of a run. */
export interface TimelineEntry {
  /**
   * `step` for an action of the schedule, `request` for a request of the operator, `change` for a change of
   * an object by anyone, and `note` for the start and the end of processes, faults and checks.
   */
  readonly kind: 'step' | 'request' | 'change' | 'note';
  /** Milliseconds since the start of the run, in virtual time. */
  readonly atMs: number;
  /** Description of the event in one line, without its time. */
  readonly text: string;
  /** Name of the process that has sent the request; empty for other events. */
  readonly replica: string;
  /** Line of the operator that has sent a write, in the form `/path/operator.ts:10`; otherwise empty. */
  readonly site: string;
  /** The verb of a request, and `create`, `update` or `delete` for a change; otherwise empty. */
  readonly verb: string;
  /** API group; empty for the core group, and for steps and notes. */
  readonly group: string;
  /**
   * Plural name of the resource, for requests with the subresource: `myapps/status`. Empty for steps and
   * notes.
   */
  readonly resource: string;
  /** Namespace of the object; empty for cluster-scoped objects, and for steps and notes. */
  readonly namespace: string;
  /** Name of the object; empty for requests to collections, and for steps and notes. */
  readonly name: string;
  /** Status of the response. `undefined` without a response, and for other events than requests. */
  readonly status: number | undefined;
  /** Whether the event is a request that changes objects. */
  readonly isWrite: boolean;
  /** Faults that the write met, such as a cut connection; empty for other events. */
  readonly faults: readonly FaultClass[];
  /**
   * The object after a change, before a deletion; `undefined` for other events. Values of Secrets are their
   * lengths.
   */
  readonly object: unknown;
}

/** Returns whether an entry is about the bookkeeping of an operator: leases and events. */
export function isBookkeeping(resource: string): boolean {
  return /^(leases|events)\b/.test(resource);
}

/** Returns whether a verb changes objects. */
export function isWrite(verb: string): boolean {
  return isServiceVerb(verb) ? mayChange(verb) : !['get', 'list', 'watch'].includes(verb);
}

/** Note of a run after which only the deletion of all objects is examined. */
export const deletionNote = 'the user deletes everything';

/** Returns the history of a run. */
export function historyOf({ entries }: { readonly entries: readonly Entry[] }): string {
  return `${entries.map(entryText).join('\n')}\n`;
}

/** Returns an entry as a line: `12.345 s  replica-1: patch deployments default/web (200)`. */
export function entryText(entry: Entry): string {
  return `${(entry.atMs / 1_000).toFixed(3).padStart(9)} s  ${contentOf(entry)}`;
}

/** Returns an entry as a line, with the line of the operator that has sent a request. */
export function entryTextWithSite(entry: Entry): string {
  const place = entry.kind === 'request' && entry.site !== '' ? ` at ${entry.site}` : '';
  return `${entryText(entry)}${place}`;
}

function contentOf(entry: Entry): string {
  if (entry.kind === 'change') {
    const { type, resource, key } = entry.change;
    return `  ${resource} ${key} ${changeTexts[type]}`;
  }
  if (entry.kind !== 'request') return entry.text;
  const { replica, request, name } = entry;
  const { verb, namespace, status } = request;
  const object = [namespace, name].filter((part) => part !== '').join('/');
  return `${replica}: ${verb} ${targetOf(request)} ${object} (${status ?? 'no response'})`.replace('  ', ' ');
}

const changeTexts = { ADDED: 'is created', MODIFIED: 'changes', DELETED: 'is removed' } as const;

/** Returns the resource of a request, with its subresource. */
export function targetOf({ resource, subresource }: Pick<LoggedRequest, 'resource' | 'subresource'>): string {
  return subresource === '' ? resource : `${resource}/${subresource}`;
}

const nothing = {
  replica: '',
  site: '',
  verb: '',
  group: '',
  resource: '',
  namespace: '',
  name: '',
  status: undefined,
  isWrite: false,
  faults: [],
  object: undefined,
} as const;

/** Returns an entry in its public form. */
export function timelineEntryOf(entry: Entry): TimelineEntry {
  const base = { ...nothing, kind: entry.kind, atMs: entry.atMs, text: contentOf(entry).trim() };
  if (entry.kind === 'change') {
    const { type, resource: storage, key, object } = entry.change;
    const [namespace, name] = key.includes('/') ? key.split('/') : ['', key];
    const [resource = '', ...rest] = storage.split('.');
    const group = rest.join('.');
    return {
      ...base,
      verb: changeVerbs[type],
      group,
      resource,
      object: shownContent(object, isSecret({ group, resource })),
      namespace: namespace ?? '',
      name: name ?? '',
    };
  }
  if (entry.kind !== 'request') return base;
  const { replica, request, name, site, faults } = entry;
  const { verb, group, namespace, status } = request;
  const resource = targetOf(request);
  return {
    ...base,
    replica,
    site,
    verb,
    group,
    resource,
    namespace,
    name,
    status,
    isWrite: isWrite(verb),
    faults,
  };
}

const changeVerbs = { ADDED: 'create', MODIFIED: 'update', DELETED: 'delete' } as const;
