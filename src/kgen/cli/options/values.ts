/** Parsers of option values. Their errors are shown to the user together with the option. */
import { InvalidArgumentError } from 'commander';
import { isAlias, rivals } from '../../config/aliases.ts';
import { isImage, isRelease } from '../../config/rules.ts';
import { parsePattern } from '../../model/select.ts';

/** Parses the value of an option. An error that it throws is shown to the user together with the option. */
type Value = (text: string) => string;

/** Parses one value of an option that may be repeated. */
type Values = (text: string, before: readonly string[] | undefined) => readonly string[];

/** Parses the value of an option that is a number. */
type NumberValue = (text: string) => number;

export const moduleName: Value = nonEmpty('the name of a module');
export const folder: Value = nonEmpty('a folder');
export const file: Value = nonEmpty('a file');
export const context: Value = nonEmpty('the name of a context');
export const name: Value = nonEmpty('a name');
/** Parses an image, such as `registry/name:tag`. */
export const image: Value = (text) => {
  if (!isImage(text)) throw new InvalidArgumentError('Give an image, such as registry/name:tag.');
  return text;
};
/** Parses a host by which an API server reaches this machine: `HOST` or `HOST:PORT`. */
export const webhookHost: Value = (text) => {
  if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:\d{1,5})?$/i.test(text))
    throw new InvalidArgumentError('Give a host name or an IPv4 address, with or without :PORT.');
  return text;
};
export const against: Value = nonEmpty('files, a folder, a commit or cluster');
export const inputs: Values = repeated(
  nonEmpty('files, folders, glob patterns, https addresses, github:owner/repo@tag:path or -'),
);
export const documents: Values = repeated(nonEmpty('files or folders'));

export const names: Values = repeated(name);
export const exportName: Value = nonEmpty('the name of an export');
export const sources: Values = repeated(nonEmpty('files, folders, glob patterns or https addresses'));

/** Parses a number of things: at least 1. */
export const count: NumberValue = integer(1);
/** Parses a number of nodes. */
export const nodes: NumberValue = integer(0, 5000);
/** Parses the number of a port. */
export const port: NumberValue = integer(1, 65_535);
/** Parses a limit of time in seconds: from 1 to 3600. */
export const seconds: NumberValue = integer(1, 3600);
/** Parses the number of a schedule. */
export const seedNumber: NumberValue = integer(0);

/** Parses the name of a release of Kubernetes. */
export const release: Value = (text) => {
  if (!isRelease(text)) throw new InvalidArgumentError('Give a release such as 1.33 or 1.33.4.');
  return text;
};

/** Parses a file whose extension is that of a report. */
export const reportFiles: Values = repeated((text) => {
  if (!/\.(txt|json|html)$/.test(text))
    throw new InvalidArgumentError('Give a file that ends with .txt, .json or .html.');
  return text;
});

/** Parses comma-separated patterns for `--include` and `--exclude`. */
export function patterns(text: string, before: readonly string[] | undefined): readonly string[] {
  const given = text.split(',').map((pattern) => pattern.trim());
  const wrong = given.find((pattern) => pattern === '' || parsePattern(pattern) === undefined);
  if (wrong !== undefined) throw new InvalidArgumentError('Give group, group/version or group/version/Kind.');
  return [...(before ?? []), ...given];
}

/** Parses a group and the name of its accessors. */
export function alias(
  text: string,
  before: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  const [group = '', name = '', ...more] = text.split('=');
  if (group === '' || more.length > 0 || !isAlias(name)) {
    throw new InvalidArgumentError(
      'Give group=name; a name is a lower-case letter, followed by letters and digits.',
    );
  }
  const aliases = { ...before, [group]: name };
  const pair = rivals(aliases);
  if (pair !== undefined) {
    throw new InvalidArgumentError(`Give ${pair.join(' and ')} names that differ.`);
  }
  return aliases;
}

/** Returns the value in the form of the configuration file. */
export function encoded(text: string): true | 'all' {
  if (text !== 'served' && text !== 'all') throw new InvalidArgumentError('Allowed choices are served, all.');
  return text === 'all' ? 'all' : true;
}

function integer(least: number, most = Number.MAX_SAFE_INTEGER): NumberValue {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`Give an integer ${range}.`);
  };
}

function repeated(value: Value): Values {
  return (text, before) => [...(before ?? []), value(text)];
}

/** A shell passes `""` for an unset variable, which must not select the current folder. */
function nonEmpty(what: string): Value {
  return (text) => {
    if (text === '') throw new InvalidArgumentError(`Give ${what}, not an empty string.`);
    return text;
  };
}
