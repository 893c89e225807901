/** Lines of a recording: entries as JSON, without values of Secrets, and short enough for the ring. */
import type { RunRequest } from '../client/run-scope.ts';
import { errorOf } from '../errors.ts';
import { errorText } from '../records/run-notes.ts';
import { redacted, redactedStatus } from '../secrecy/redaction.ts';
import { isSecret, redactedText } from '../secrecy/rules.ts';
import type { SecretValues } from '../secrecy/secret-values.ts';
import { type RecordedEntry, type RecordedError, withoutContent } from './entries.ts';

/** Limits of the lines of a recording. */
export interface LineFormatOptions {
  readonly maxBytes: number;
  readonly includeSecrets: boolean;
  readonly secrets: SecretValues;
}

/** Formats the entries of a recording. */
export class LineFormat {
  readonly #parts: LineFormatOptions;

  constructor(parts: LineFormatOptions) {
    this.#parts = parts;
  }

  /** Whether lines contain values of Secrets. */
  get hasSecrets(): boolean {
    return this.#parts.includeSecrets;
  }

  /** Returns the message of an error, without values of Secrets. */
  messageOf(thrown: unknown): string {
    const { includeSecrets, secrets } = this.#parts;
    return includeSecrets ? errorOf(thrown).message : secrets.messageOf(thrown);
  }

  /** Returns an error as it is recorded; the errors of requests for Secrets without content. */
  errorOf(thrown: unknown, target: RunRequest['target']): RecordedError {
    const { name } = errorOf(thrown);
    const status: unknown = thrown instanceof Error ? Reflect.get(thrown, 'status') : undefined;
    const isHidden = isSecret(target) && !this.#parts.includeSecrets;
    const message = isHidden ? redactedText : this.messageOf(thrown);
    if (typeof status !== 'object' || status === null) return { name, message };
    return { name, message, status: isHidden ? redactedStatus(status) : status };
  }

  /** Returns an object as it is recorded: Secrets without their values. */
  shown(value: unknown, target: { readonly group: string; readonly resource: string } | undefined): unknown {
    return this.#parts.includeSecrets ? value : redacted(value, isSecret(target));
  }

  /** Returns the line of an entry; without its content if that would displace most of the ring. */
  fitting(entry: RecordedEntry): { readonly line: string; readonly isWhole: boolean } {
    const line = this.lineOf(entry);
    const isWhole = line.length * 2 <= this.#parts.maxBytes / 2;
    if (isWhole) return { line, isWhole };
    return { line: this.lineOf(withoutContent(entry, Buffer.byteLength(line))), isWhole };
  }

  /** Returns an entry as JSON; a placeholder for a value of a user that JSON cannot represent. */
  lineOf(entry: object): string {
    try {
      return JSON.stringify(entry, (_, value: unknown) =>
        typeof value === 'bigint' ? Number(value) : value,
      );
    } catch (error) {
      const text = errorText(error, this.#parts.secrets);
      return JSON.stringify({ type: 'unreadable', at: Date.now(), error: text });
    }
  }

  /** Returns a line without the values of Secrets that are known now, also of those that were read later. */
  masked(line: string): string {
    const { includeSecrets, secrets } = this.#parts;
    if (includeSecrets || secrets.mask(line) === line) return line;
    return JSON.stringify(secrets.maskObject(JSON.parse(line)));
  }
}
