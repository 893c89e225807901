/** The context of a handler, and the notes that it adds to the response. */

import type { Logger } from '../../log.ts';
import type { AdmissionContext } from '../declarations/context.ts';
import type { AdmissionRequest } from './admission-request.ts';

/** Parts of the context of a handler. */
export interface ContextParts {
  readonly request: AdmissionRequest;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Returns the context of a handler, which adds to `notes`. */
export function contextOf({ request, log, signal }: ContextParts, notes: Notes): AdmissionContext<unknown> {
  const { operation, name, namespace, subresource, user, dryRun, old } = request;
  const base = {
    ...{ name, namespace, subresource, user, dryRun, signal, log },
    warn: (message: string) => notes.warn(message),
    audit: (key: string, value: string) => notes.audit(key, value),
  };
  // `old` is present exactly for these operations, and stored; see `admissionRequest`.
  return { ...base, operation, old } as AdmissionContext<unknown>;
}

/** Characters of all warnings together, above which servers cut each of them. */
const allCharacters = 4096;
const cutCharacters = 256;

/** Name part of a qualified name; the server adds the name of the webhook as its prefix. */
const auditKey = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** Controls, which a header cannot contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find.
const controls = /[\u0000-\u001f\u007f-\u009f]+/g;

/** Collects the notes of one review. */
export class Notes {
  readonly #warnings = new Set<string>();
  readonly #annotations = new Map<string, string>();

  /** Adds a warning on one line, unless it is there already. */
  warn(message: string): void {
    const text = String(message).replaceAll(controls, ' ').trim();
    if (text !== '') this.#warnings.add(text);
  }

  /** @throws {TypeError} a key that the server would ignore */
  audit(key: string, value: string): void {
    if (!auditKey.test(key))
      throw new TypeError(
        `key of an audit annotation must be 1 to 63 letters, digits, "-", "_" or ".", got ${JSON.stringify(key)}`,
      );
    this.#annotations.set(key, String(value));
  }

  /** Returns the members of the response; those without content are absent. */
  members(): object {
    const warnings = limited([...this.#warnings]);
    return {
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(this.#annotations.size === 0 ? {} : { auditAnnotations: Object.fromEntries(this.#annotations) }),
    };
  }
}

/**
 * Limits warnings as the server does, so that a response stays small.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#response
 */
function limited(warnings: readonly string[]): readonly string[] {
  const lengthOf = (texts: readonly string[]): number =>
    texts.reduce((sum, text) => sum + [...text].length, 0);
  if (lengthOf(warnings) <= allCharacters) return warnings;
  const kept: string[] = [];
  for (const warning of warnings) {
    const cut = [...warning].slice(0, cutCharacters).join('');
    if (lengthOf(kept) + [...cut].length > allCharacters) break;
    kept.push(cut);
  }
  return kept;
}
