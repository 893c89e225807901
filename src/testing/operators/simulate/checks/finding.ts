/** The rules that runs must obey. */

/** The rule that a run has violated. */
export type CheckName =
  | 'invariant'
  | 'convergence'
  | 'silence'
  | 'requests'
  | 'leadership'
  | 'rejection'
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
