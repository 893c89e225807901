/** Values of Secrets that other objects, errors and responses quote, in recordings with `includeSecrets`. */
import type { ViewRun } from './format.ts';
import { type Line, parsed, textOf } from './recording-lines.ts';
import { isRecord, isSecret, type Record } from './secrets.ts';

/** Replaces values of Secrets in a text. */
export type SecretMask = (text: string) => string;

/** Shorter values would hide parts of most texts, as in the recorder. */
const shortest = 6;

/** Members that identify objects: a value that is equal to a name is not hidden there. */
const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'name', 'namespace', 'uid']);

/** Returns the mask of all Secrets in a recording. Words of a language remain, as in the recorder. */
export function maskOf(lines: readonly Line[], informers: ReadonlyMap<unknown, Record>): SecretMask {
  const values = new Set(lines.flatMap((line) => valuesOf(line, informers)));
  const starts = new Map<string, string[]>();
  for (const value of [...values].sort((one, other) => other.length - one.length)) {
    if (value.length < shortest || /^[A-Za-z]{1,12}$/.test(value)) continue;
    const start = value.slice(0, shortest);
    starts.set(start, [...(starts.get(start) ?? []), value]);
  }
  return (text) => masked(text, starts);
}

function masked(text: string, starts: ReadonlyMap<string, readonly string[]>): string {
  let [shown, from, at] = ['', 0, 0];
  while (at + shortest <= text.length) {
    const found = starts.get(text.slice(at, at + shortest))?.find((value) => text.startsWith(value, at));
    if (found !== undefined) {
      shown += `${text.slice(from, at)}(redacted)`;
      from = at + found.length;
    }
    at += found?.length ?? 1;
  }
  return from === 0 ? text : shown + text.slice(from);
}

/** Returns a run whose objects, bodies and errors are masked. */
export function maskedRun(run: ViewRun, mask: SecretMask): ViewRun {
  const events = run.events.map((event) => {
    if (event.kind === 'change') return { ...event, content: maskedValue(event.content, mask) };
    if (event.kind === 'event') return { ...event, note: mask(event.note) };
    if (event.kind === 'lease') return event;
    if (event.kind === 'log') return { ...event, message: mask(event.message), fields: mask(event.fields) };
    if (event.kind !== 'request') return { ...event, text: mask(event.text) };
    const { body, content, error } = event;
    return {
      ...event,
      ...(body !== undefined && { body: maskedValue(body, mask) }),
      ...(content !== undefined && { content: maskedValue(content, mask) }),
      ...(error !== undefined && { error: mask(error) }),
    };
  });
  const reconciles = run.reconciles.map(({ error, ...rest }) =>
    error === undefined ? rest : { ...rest, error: mask(error) },
  );
  return { ...run, events, reconciles };
}

function maskedValue(value: unknown, mask: SecretMask): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item: unknown) => maskedValue(item, mask));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    identity.has(name) ? member : maskedValue(member, mask),
  ]);
  return Object.fromEntries(members);
}

/** Returns the values of the Secrets in a line. */
function valuesOf({ type, entry }: Line, informers: ReadonlyMap<unknown, Record>): readonly string[] {
  const { group, resource } = informers.get(entry['informer']) ?? {};
  const ofInformer = isSecret({ group: textOf(group), resource: textOf(resource) });
  const ofPath = /\/secrets(?![\w-])/.test(textOf(entry['path']));
  const body = type === 'fetched body' ? parsed(textOf(entry['body'])) : entry['body'];
  return [...secretsIn(entry['object'], ofInformer), ...secretsIn(body, ofPath)];
}

function secretsIn(value: unknown, secret: boolean): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => (secret ? leavesOf(item) : []));
  if (!isRecord(value)) return [];
  const { kind, items } = value;
  if (Array.isArray(items))
    return items.flatMap((item: unknown) => secretsIn(item, secret || kind === 'SecretList'));
  if (!secret && kind !== 'Secret') return [];
  return [value['data'], value['stringData']].flatMap(leavesOf);
}

/** Returns the strings of a value, also decoded from base64, and as JSON and addresses quote them. */
function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value, ...decoded(value)].flatMap(quotations);
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return isRecord(value) ? Object.values(value).flatMap(leavesOf) : [];
}

function decoded(base64: string): readonly string[] {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return [new TextDecoder('utf-8', { fatal: true }).decode(bytes)];
  } catch {
    return []; // It is not base64, or not a text.
  }
}

function quotations(text: string): readonly string[] {
  return [text, text.trim(), JSON.stringify(text).slice(1, -1), encodedOf(text)];
}

/** Lone surrogates cannot be encoded. */
function encodedOf(text: string): string {
  return /\p{Surrogate}/u.test(text) ? text : encodeURIComponent(text);
}
