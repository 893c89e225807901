/** Texts of events, times and objects. */
import type {
  ViewCause,
  ViewEvent,
  ViewLease,
  ViewReconcile,
  ViewReport,
  ViewRequest,
  ViewRun,
  ViewTarget,
} from '../../format.ts';

/** Returns the name of a resource as kubectl accepts it: `deployments.apps`. */
export function resourceText({ group, resource }: Pick<ViewTarget, 'group' | 'resource'>): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** Returns an object: `deployments.apps shop/web`, or the address of a request to another service. */
export function targetText(target: ViewTarget, subresource = ''): string {
  const resource = subresource === '' ? resourceText(target) : `${resourceText(target)}/${subresource}`;
  const key = keyText(target);
  return key === '' || key.startsWith('/') ? `${resource}${key}` : `${resource} ${key}`;
}

/** Returns `namespace/name`, or one of both. */
export function keyText({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return [namespace, name].filter((part) => part !== '').join('/');
}

/** Returns a time of a run: `12:30:01.250`, or `1.250 s` for virtual time. */
export function timeText({ clock }: Pick<ViewRun, 'clock'>, at: number): string {
  if (clock === 'virtual') return `${(at / 1_000).toFixed(3)} s`;
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString().slice(11, 23);
}

/** Returns a duration: `7 ms`, `2.5 s`, `3 min`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${Math.round(ms / 100) / 10} s` : `${Math.round(ms / 6_000) / 10} min`;
}

/** Returns the end of a reconcile: `success`, `requeue after 30 s`. */
export function outcomeText({ outcome, afterMs }: Pick<ViewReconcile, 'outcome' | 'afterMs'>): string {
  const name = outcomes[outcome] ?? outcome;
  return afterMs === undefined ? name : `${name} after ${durationText(afterMs)}`;
}

const outcomes: { readonly [outcome: string]: string } = {
  '': 'not ended',
  requeueAfter: 'requeue',
  gone: 'object deleted',
  terminal: 'failed',
};

/** Returns a cause: `update of deployments.apps shop/web`. */
export function causeText(cause: ViewCause): string {
  const { type, object } = cause;
  return object === '' ? (plainCauses[type] ?? type) : `${causeNoun(cause)} of ${object}`;
}

/** Returns the kind of a change that is a cause: `update`. */
export function causeNoun({ type }: ViewCause): string {
  return changeNouns[type] ?? type;
}

const changeNouns: { readonly [type: string]: string } = { add: 'addition', delete: 'deletion' };

const plainCauses: { readonly [type: string]: string } = {
  requeue: 'the delay that the last reconcile requested',
  retry: 'the retry of a failed reconcile',
  conflict: 'the retry after a conflict',
  unseen: 'a creation of its own that was not visible before',
  refused: 'a reconcile whose writes were refused',
  shard: 'the shard that this replica has gained',
  request: 'a call of enqueue',
};

/** Returns whether a request is one to another service: its verb is the method in capitals. */
export function isServiceVerb(verb: string): boolean {
  return verb === verb.toUpperCase();
}

/** Returns the result of a request: `200`, `skipped`, `no response`. */
export function resultText({ result, status }: Pick<ViewRequest, 'result' | 'status'>): string {
  if (result === 'lost') return 'no response';
  return status === undefined ? result : String(status);
}

/** Returns an event as one line; `short` without the groups of resources. */
export function eventText(event: ViewEvent, length: 'whole' | 'short' = 'whole'): string {
  if (event.kind === 'event')
    return `${event.type} ${event.reason} of ${referenceText(event)}: ${event.note}`;
  if (event.kind === 'lease') return leaseText(event);
  if (event.kind === 'log') return `${event.level}: ${event.message}`;
  if (!('target' in event)) return event.text;
  const target = length === 'short' ? { ...event.target, group: '' } : event.target;
  if (event.kind === 'change') return `${targetText(target)} ${changeVerbs[event.change]}`;
  return `${event.verb} ${targetText(target, event.subresource)}`;
}

function referenceText({ regarding: { kind, ...key } }: ViewReport): string {
  return `${kind} ${keyText(key)}`;
}

/** Returns a change of a lease as one line. */
export function leaseText({ lease, isHeld, holder, shards }: ViewLease): string {
  if (shards !== undefined) return `this process owns ${shards} shards of ${lease}`;
  if (isHeld) return `this process holds ${lease}`;
  return holder === '' ? `nobody holds ${lease}` : `this process does not hold ${lease}: ${holder}`;
}

const changeVerbs = {
  existing: 'exists',
  create: 'is created',
  update: 'changes',
  delete: 'is removed',
} as const;

/** Returns a link that opens a line of the program in an editor; `undefined` for another form of place. */
export function siteLink(site: string): string | undefined {
  return /^\/.+:\d+$/.test(site) ? `vscode://file${encodeURI(site)}` : undefined;
}
