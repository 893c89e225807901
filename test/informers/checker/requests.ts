import type { Noted } from '../server/journal.ts';

/** Failed requests of one source within a second: more are a storm. */
const STORM = 6;

interface Standing {
  /** Why the state may be asked for; nothing where changes must be followed. */
  excuse: string | undefined;
  /** Up to here the client has read. */
  position: number;
  /** The server has asked not to be asked before. */
  notBefore: number;
  /** When requests failed last. */
  failures: number[];
  /** Watches in a row that were forbidden. */
  refusals: number;
  /** What was asked for last. */
  verb: string;
  /** And when. */
  askedAt: number;
}

/** Nobody waits longer for an answer to begin. */
const PATIENCE_MS = 15 * 60_000;

/** So many watches in a row that are forbidden, and lists have to do. */
const REFUSALS = 3;

/**
 * What is wrong with the requests of clients. The whole state is asked for only where it is not known, or where the
 * server has said that changes were lost; a watch goes on exactly where the last one ended; `Retry-After` is obeyed;
 * and failures do not make a storm.
 */
export function requestProblems(notes: readonly Noted[]): string[] {
  const problems: string[] = [];
  const standings = new Map<string, Standing>();
  let running = false;
  for (const note of notes) {
    if (note.type === 'start' || note.type === 'stop') {
      running = note.type === 'start';
      for (const standing of standings.values()) Object.assign(standing, fresh('start'));
      continue;
    }
    const standing = standings.get(note.source) ?? fresh('start');
    standings.set(note.source, standing);
    const stray = note.type === 'request' && !running ? 'a request after stop' : undefined;
    const problem = stray ?? judge(standing, note);
    if (problem !== undefined) problems.push(`at ${note.at} ${note.source}: ${problem}`);
  }
  return problems;
}

function fresh(excuse: string): Standing {
  return { excuse, position: 0, notBefore: 0, failures: [], refusals: 0, verb: '', askedAt: 0 };
}

function judge(standing: Standing, note: Noted): string | undefined {
  switch (note.type) {
    case 'request':
      return judgeRequest(standing, note);
    case 'answer':
      return judgeAnswer(standing, note);
    case 'state':
      Object.assign(standing, { excuse: undefined, position: note.version });
      return undefined;
    case 'read':
      standing.position = Math.max(standing.position, note.version);
      return undefined;
    case 'lost':
      standing.excuse ??= note.loss;
      // What a server does not know yet may be asked for in another way at once.
      if (note.loss === 'ahead') standing.notBefore = 0;
      return undefined;
    default:
      return undefined;
  }
}

function judgeRequest(standing: Standing, note: Extract<Noted, { type: 'request' }>): string | undefined {
  const { verb, version, at } = note;
  Object.assign(standing, { verb, askedAt: at });
  if (at < standing.notBefore) return `asked ${standing.notBefore - at} ms too early`;
  if (verb !== 'watch') {
    return standing.excuse === undefined ? `${verb} at ${version}, though nothing was lost` : undefined;
  }
  if (standing.excuse !== undefined) return `watch at ${version}, though the state is not known`;
  const expected = String(standing.position);
  return version === expected ? undefined : `watch at ${version}, though it was read up to ${expected}`;
}

function judgeAnswer(standing: Standing, note: Extract<Noted, { type: 'answer' }>): string | undefined {
  const { status, retryAfterSeconds = 0, at } = note;
  if (standing.verb === 'watch') standing.refusals = refusalsAfter(standing.refusals, status);
  if (standing.refusals === REFUSALS) Object.assign(standing, { excuse: 'refused', refusals: 0 });
  if (status === 200 || status === 'hung') return undefined;
  // Who had to wait for so long has given up, in the moment in which the answer came.
  if (at - standing.askedAt < PATIENCE_MS) standing.notBefore = at + retryAfterSeconds * 1000;
  standing.failures = [...standing.failures.filter((then) => then > at - 1000), at];
  return standing.failures.length > STORM ? `${standing.failures.length} failures in a second` : undefined;
}

function refusalsAfter(refusals: number, status: Extract<Noted, { type: 'answer' }>['status']): number {
  if (status === 200 || status === 401) return 0;
  return status === 403 ? refusals + 1 : refusals;
}
