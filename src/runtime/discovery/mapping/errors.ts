/** Errors of a `RESTMapper`. */
import { isOwn, OwnError } from '../../api/errors.ts';

/** No served resource matches. The message contains similar names, and the groups whose discovery failed. */
export class NoMatchError extends OwnError {
  /** Description of the query: `kind Widget of group example.com`. */
  readonly query: string;
  /** Similar names, the most likely first: `Deployment (apps/v1)`. */
  readonly suggestions: readonly string[];
  /** Group versions whose discovery failed and that may contain a match, with the errors. */
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

/** Maximum number of failures in a message. */
const shownFailures = 3;

function hints(suggestions: readonly string[], failed: ReadonlyMap<string, Error>): string[] {
  const near = suggestions.length === 0 ? [] : [`did you mean ${suggestions.join(' or ')}?`];
  if (failed.size === 0) return near;
  const shown = [...failed].slice(0, shownFailures).map(([name, { message }]) => `${name} (${message})`);
  const more = failed.size - shown.length;
  const list = more > 0 ? [...shown, `${more} more`] : shown;
  return [...near, `it may be in a group version whose discovery failed: ${list.join(', ')}`];
}

/** A lookup matches several resources equally well. Name the group or the version to select one. */
export class AmbiguousMatchError extends OwnError {
  /** Description of the query: `kind Widget of group example.com`. */
  readonly query: string;
  /** Matching resources, such as `widgets.v1.example.com`. */
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

/** Returns whether an error is a `NoMatchError`: no resource of the server matches. */
export function isNoMatch(error: unknown): error is NoMatchError {
  return isOwn(error, 'NoMatchError');
}

/** Returns whether an error is an `AmbiguousMatchError`: several resources match equally well. */
export function isAmbiguousMatch(error: unknown): error is AmbiguousMatchError {
  return isOwn(error, 'AmbiguousMatchError');
}
