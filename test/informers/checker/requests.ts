import type { Noted } from '../server/journal.ts';

/** Maximum number of failed requests of one source within a second. */
const storm = 6;

interface Standing {
  /** Reason why a list is allowed; undefined if changes must be watched. */
  excuse: string | undefined;
  /** Version up to which the client has read. */
  position: number;
  /** Earliest time of the next request, according to `Retry-After`. */
  notBefore: number;
  /** Times of the last failed requests. */
  failures: number[];
  /** Number of consecutive forbidden watches. */
  refusals: number;
  /** Verb of the last request. */
  verb: string;
  /** Time of the last request. */
  requestedAt: number;
}

/** Maximum time that a client waits for the head of a response. */
const patienceMs = 15 * 60_000;

/** Number of consecutive forbidden watches after which clients list instead. */
const refusalLimit = 3;

/**
 * Returns the invalid requests of clients. Lists are allowed only if the state is unknown or the server
 * reported lost changes; a watch resumes exactly at the end of the last one; `Retry-After` is honoured; and
 * the rate of failed requests is limited.
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
  return { excuse, position: 0, notBefore: 0, failures: [], refusals: 0, verb: '', requestedAt: 0 };
}

function judge(standing: Standing, note: Noted): string | undefined {
  switch (note.type) {
    case 'request':
      return judgeRequest(standing, note);
    case 'answer':
      return judgeResponse(standing, note);
    case 'state':
      Object.assign(standing, { excuse: undefined, position: note.version });
      return undefined;
    case 'read':
      standing.position = Math.max(standing.position, note.version);
      return undefined;
    case 'lost':
      standing.excuse ??= note.loss;
      // A version that the server has not reached yet may be requested in another way at once.
      if (note.loss === 'ahead') standing.notBefore = 0;
      return undefined;
    default:
      return undefined;
  }
}

function judgeRequest(standing: Standing, note: Extract<Noted, { type: 'request' }>): string | undefined {
  const { verb, version, at } = note;
  Object.assign(standing, { verb, requestedAt: at });
  if (at < standing.notBefore) return `request ${standing.notBefore - at} ms too early`;
  if (verb !== 'watch') {
    return standing.excuse === undefined ? `${verb} at ${version}, although nothing was lost` : undefined;
  }
  if (standing.excuse !== undefined) return `watch at ${version}, although the state is unknown`;
  const expected = String(standing.position);
  return version === expected ? undefined : `watch at ${version}, although it was read up to ${expected}`;
}

function judgeResponse(standing: Standing, note: Extract<Noted, { type: 'answer' }>): string | undefined {
  const { status, retryAfterSeconds = 0, at } = note;
  if (standing.verb === 'watch') standing.refusals = refusalsAfter(standing.refusals, status);
  if (standing.refusals === refusalLimit) Object.assign(standing, { excuse: 'refused', refusals: 0 });
  if (status === 200 || status === 'hung') return undefined;
  // A client that waited this long has timed out at the moment of the response.
  if (at - standing.requestedAt < patienceMs) standing.notBefore = at + retryAfterSeconds * 1000;
  standing.failures = [...standing.failures.filter((then) => then > at - 1000), at];
  return standing.failures.length > storm ? `${standing.failures.length} failures in a second` : undefined;
}

function refusalsAfter(refusals: number, status: Extract<Noted, { type: 'answer' }>['status']): number {
  if (status === 200 || status === 401) return 0;
  return status === 403 ? refusals + 1 : refusals;
}
