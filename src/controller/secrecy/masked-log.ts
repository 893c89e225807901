/** Log whose entries contain no values of Secrets. */

import type { Logger } from '../log.ts';
import { isObject } from '../members.ts';
import { identity, type SecretValues } from './secret-values.ts';

/** Depth to which members of entries are masked; loggers print about as much. */
const mostDepth = 5;

/**
 * Returns a logger that masks the values of Secrets in messages, and in the strings and errors of fields.
 * Entries without such a value are passed on as they are.
 */
export function maskedLogger(log: Logger, secrets: SecretValues): Logger {
  const method =
    (level: keyof Logger): Logger['info'] =>
    (fields, message) => {
      if (secrets.size === 0) return log[level](fields, message);
      log[level](maskedFields(fields, secrets), secrets.mask(message));
    };
  return { debug: method('debug'), info: method('info'), warn: method('warn'), error: method('error') };
}

/** Entries are written in timers: members that cannot be read must not throw there. */
function maskedFields(fields: object, secrets: SecretValues): object {
  try {
    const shown = masked(fields, secrets, mostDepth);
    return isObject(shown) ? shown : {};
  } catch {
    return {};
  }
}

/** Returns the value itself if it contains nothing to mask. */
function masked(value: unknown, secrets: SecretValues, depth: number): unknown {
  if (typeof value === 'string') return secrets.mask(value);
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  if (value instanceof Error) return withoutValues(value, secrets, depth);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => masked(item, secrets, depth - 1));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const changes = changedMembers(value, secrets, depth);
  return changes.length === 0 ? value : { ...value, ...Object.fromEntries(changes) };
}

function changedMembers(
  value: object,
  secrets: SecretValues,
  depth: number,
): readonly (readonly [string, unknown])[] {
  return Object.entries(value).flatMap(([name, content]: readonly [string, unknown]) => {
    const shown = identity.has(name) ? content : masked(content, secrets, depth - 1);
    return shown === content ? [] : [[name, shown] as const];
  });
}

/** A copy has the class of the error, and its members. */
function withoutValues(error: Error, secrets: SecretValues, depth: number): Error {
  const texts = { message: secrets.mask(error.message), stack: secrets.mask(error.stack ?? '') };
  const hidden = ['cause', 'errors'].flatMap((name) => {
    const content: unknown = Object.hasOwn(error, name) ? Reflect.get(error, name) : undefined;
    const shown = masked(content, secrets, depth - 1);
    return shown === content ? [] : [[name, shown] as const];
  });
  const changes = changedMembers(error, secrets, depth);
  const isChanged = texts.message !== error.message || texts.stack !== (error.stack ?? '');
  if (!isChanged && hidden.length === 0 && changes.length === 0) return error;
  const copy = new Error(texts.message);
  Object.setPrototypeOf(copy, Object.getPrototypeOf(error));
  for (const name of Object.getOwnPropertyNames(error)) {
    if (!(name in texts)) Object.defineProperty(copy, name, { ...memberOf(error, name), configurable: true });
  }
  for (const [name, shown] of [...hidden, ...changes])
    Object.defineProperty(copy, name, { ...memberOf(error, name), value: shown });
  return Object.assign(copy, { stack: texts.stack });
}

function memberOf(error: Error, name: string): PropertyDescriptor {
  const { enumerable = false } = Object.getOwnPropertyDescriptor(error, name) ?? {};
  return { value: Reflect.get(error, name), enumerable, writable: true, configurable: true };
}
