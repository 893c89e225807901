/** The history of a run: lines that depend on its schedule and the operator only. */
import type { LoggedRequest } from '../http/request-log.ts';
import type { Change } from '../store/store.ts';

/** One entry of a history. */
export type Entry =
  | { readonly kind: 'step' | 'note'; readonly atMs: number; readonly text: string }
  | { readonly kind: 'change'; readonly atMs: number; readonly change: Change }
  | {
      readonly kind: 'request';
      readonly atMs: number;
      readonly replica: string;
      readonly request: LoggedRequest;
      /** Name of the object, which the path of a creation does not contain. */
      readonly name: string;
      /** Line of the operator; empty if it is not traced. */
      readonly site: string;
    };

/** Returns whether an entry is about the bookkeeping of an operator: leases and events. */
export function isBookkeeping(resource: string): boolean {
  return /^(leases|events)\b/.test(resource);
}

/** Returns whether a verb changes objects. */
export function isWrite(verb: string): boolean {
  return !['get', 'list', 'watch'].includes(verb);
}

/** Returns an entry as a line: `12.345 s  replica-1: patch deployments default/web (200)`. */
export function entryText(entry: Entry): string {
  return `${(entry.atMs / 1_000).toFixed(3).padStart(9)} s  ${contentOf(entry)}`;
}

function contentOf(entry: Entry): string {
  if (entry.kind === 'change') {
    const { type, resource, key } = entry.change;
    return `  ${resource} ${key} ${changeTexts[type]}`;
  }
  if (entry.kind !== 'request') return entry.text;
  const { replica, request, name, site } = entry;
  const { verb, resource, subresource, namespace, status } = request;
  const target = `${resource}${subresource === '' ? '' : `/${subresource}`}`;
  const object = [namespace, name].filter((part) => part !== '').join('/');
  const place = site === '' ? '' : ` at ${site}`;
  return `${replica}: ${verb} ${target} ${object} (${status ?? 'no response'})${place}`.replace('  ', ' ');
}

const changeTexts = { ADDED: 'is created', MODIFIED: 'changes', DELETED: 'is removed' } as const;
