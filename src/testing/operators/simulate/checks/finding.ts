/** The rules that runs must obey. */

/** The rule that a run has violated. */
export type CheckName =
  | 'invariant'
  | 'convergence'
  | 'restart'
  | 'time'
  | 'identity'
  | 'history'
  | 'silence'
  | 'requests'
  | 'leadership'
  | 'rejection'
  | 'floating'
  | 'exit'
  | 'deletion'
  | 'ownership'
  | 'network'
  | 'permissions'
  | 'leak'
  | 'memory';

/** A violated rule. */
export interface Finding {
  readonly check: CheckName;
  /** Details, one per line. */
  readonly message: string;
}

/** Returns the finding with these details; `undefined` if there are none. */
export function findingOf(check: CheckName, lines: readonly string[]): Finding | undefined {
  return lines.length === 0 ? undefined : { check, message: lines.join('\n') };
}
