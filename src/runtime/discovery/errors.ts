/** What a `RESTMapper` throws. */
import { isOwn, OwnError } from '../errors.ts';

/** Nothing that the server serves matches. The message says what is near, and which groups could not be asked. */
export class NoMatchError extends OwnError {
  /** What was asked for: `kind Widget of group example.com`. */
  readonly query: string;
  /** What may have been meant, the likeliest first: `Deployment (apps/v1)`. */
  readonly suggestions: readonly string[];
  /** Group versions whose discovery failed and which may have what was asked for, and why they failed. */
  readonly failed: ReadonlyMap<string, Error>;

  constructor(query: string, found: Partial<Pick<NoMatchError, 'suggestions' | 'failed'>> = {}) {
    const { suggestions = [], failed = new Map<string, Error>() } = found;
    super([`the server has no ${query}`, ...hints(suggestions, failed)].join('; '));
    this.query = query;
    this.suggestions = suggestions;
    this.failed = failed;
  }

  override get name(): 'NoMatchError' {
    return 'NoMatchError';
  }
}

/** Failures that a message spells out. */
const shownFailures = 3;

function hints(suggestions: readonly string[], failed: ReadonlyMap<string, Error>): string[] {
  const near = suggestions.length === 0 ? [] : [`did you mean ${suggestions.join(' or ')}?`];
  if (failed.size === 0) return near;
  const shown = [...failed].slice(0, shownFailures).map(([name, { message }]) => `${name} (${message})`);
  const more = failed.size - shown.length;
  const list = more > 0 ? [...shown, `${more} more`] : shown;
  return [...near, `it may be in what the server could not answer for: ${list.join(', ')}`];
}

/** Several resources match equally well. */
export class AmbiguousMatchError extends OwnError {
  /** What was asked for: `kind Widget of group example.com`. */
  readonly query: string;
  /** What matches: `widgets.v1.example.com`. */
  readonly candidates: readonly string[];

  constructor(query: string, candidates: readonly string[]) {
    super(`${query} may be any of ${candidates.join(', ')}: name one of them in full`);
    this.query = query;
    this.candidates = candidates;
  }

  override get name(): 'AmbiguousMatchError' {
    return 'AmbiguousMatchError';
  }
}

/** Whether the server has nothing that matches. */
export function isNoMatch(error: unknown): error is NoMatchError {
  return isOwn(error, 'NoMatchError');
}

/** Whether several resources match equally well. */
export function isAmbiguousMatch(error: unknown): error is AmbiguousMatchError {
  return isOwn(error, 'AmbiguousMatchError');
}
