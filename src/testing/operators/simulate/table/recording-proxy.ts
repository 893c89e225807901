/** Objects whose reads are recorded. */
import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Field } from './read-fields.ts';

/** Proxies by the field as which they are read, so that each part is one object. */
const proxies = new WeakMap<Field, WeakMap<object, object>>();
const own = new WeakSet<object>();

/**
 * Returns an object whose reads are recorded below a field.
 * @param siteOf returns the line of the program that reads
 */
export function recorded<O extends object>(object: O, field: Field, siteOf: () => string): O {
  if (own.has(object)) return object;
  const known = proxies.get(field) ?? new WeakMap<object, object>();
  proxies.set(field, known);
  // Its members may be frozen, which a proxy must respect in those of its own target.
  const target = Array.isArray(object) ? [] : Object.create(Object.getPrototypeOf(object));
  const proxy = known.get(object) ?? new Proxy(target, handlerOf(object, field, siteOf));
  known.set(object, proxy);
  own.add(proxy);
  // seam: the proxy has the members of the object.
  return proxy as O;
}

function handlerOf(object: object, field: Field, siteOf: () => string): ProxyHandler<object> {
  const memberOf = (name: string): Field => (Array.isArray(object) ? field : field.member(name));
  const read = (name: string, value: unknown): unknown => {
    const member = memberOf(name);
    if (!Array.isArray(object)) note(member, siteOf, hasFields(value));
    return typeof value === 'object' && value !== null ? recorded(value, member, siteOf) : value;
  };
  return {
    get: (_, name) => {
      const value: unknown = Reflect.get(object, name);
      return isData(object, name) ? read(name, value) : value;
    },
    has: (_, name) => {
      if (isData(object, name)) read(name, Reflect.get(object, name));
      return Reflect.has(object, name);
    },
    ownKeys: () => {
      if (!Array.isArray(object) && !isOwnReader()) field.readWhole(Object.keys(object));
      return Reflect.ownKeys(object);
    },
    getOwnPropertyDescriptor: (target, name) => {
      const found = Reflect.getOwnPropertyDescriptor(object, name);
      if (found === undefined) return undefined;
      // The length of a list, which is writable in the target even if the list is frozen.
      if (Object.hasOwn(target, name)) return { ...found, writable: true };
      const value = isData(object, name) ? read(name, found.value) : found.value;
      return { value, enumerable: found.enumerable ?? false, configurable: true, writable: true };
    },
    set: (_, name, value) => Reflect.set(object, name, value),
    deleteProperty: (_, name) => Reflect.deleteProperty(object, name),
    defineProperty: (_, name, descriptor) => Reflect.defineProperty(object, name, descriptor),
    preventExtensions: () => false,
    setPrototypeOf: () => false,
  };
}

/** Members that programs and Node.js look for in any object. */
const probes: ReadonlySet<string> = new Set(['toJSON', 'then']);

/** Returns whether a name is that of a field, and not of a method, a symbol, or the length of a list. */
function isData(object: object, name: string | symbol): name is string {
  if (typeof name !== 'string') return false;
  if (Object.hasOwn(object, name)) return !(Array.isArray(object) && name === 'length');
  return !Array.isArray(object) && !(name in object) && !probes.has(name);
}

/** Returns whether a value, or an item of a list, has members that can be selected. */
function hasFields(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasFields);
  return typeof value === 'object' && value !== null;
}

function note(field: Field, siteOf: () => string, isObject: boolean): void {
  if (field.isRead && field.isObject === isObject) return;
  if (!isOwnReader()) field.read(siteOf(), isObject);
}

/** Returns whether a part of `@kgen/controller` reads, such as the comparison of writes with caches. */
function isOwnReader(): boolean {
  const { stackTraceLimit, prepareStackTrace } = Error;
  const holder: object = {};
  Error.stackTraceLimit = 12;
  Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? '');
  Error.captureStackTrace(holder);
  const stack: unknown = Reflect.get(holder, 'stack');
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  const files: readonly unknown[] = Array.isArray(stack) ? stack : [];
  const reader = files.map(String).find((file) => file !== '' && pathOf(file) !== thisFile);
  return reader !== undefined && controllerFolder() !== '' && pathOf(reader).startsWith(controllerFolder());
}

function pathOf(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file;
}

const thisFile = pathOf(import.meta.url);

let folder: string | undefined;

/** Empty if the package is not installed. */
function controllerFolder(): string {
  if (folder !== undefined) return folder;
  try {
    folder = dirname(createRequire(import.meta.url).resolve('@kgen/controller/package.json')) + sep;
  } catch {
    folder = '';
  }
  return folder;
}
