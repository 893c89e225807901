/**
 * `protobuf.ts` of a group version: the codecs of its kinds, loaded with the first protobuf request or
 * response.
 */

import { capitalise } from '../../common/words.ts';
import type { CodecPlan, HomeCodecs, TableKind } from '../../protobuf/types.ts';
import type { EmitOptions } from '../options.ts';
import { lineWidth } from '../text/break-lines.ts';
import { comment } from '../text/docs.ts';
import { quoted } from '../text/literals.ts';
import { Module } from '../text/module.ts';
import { extension, protobufSpecifier } from '../text/paths.ts';
import type { ProtobufTypeName, ProtobufValue } from '../text/symbols.ts';
import { type MessageNames, messageText } from './protobuf-message.ts';

/** A module that is being printed, with its references. */
interface Scope {
  readonly module: Module;
  readonly names: MessageNames;
  /** Returns the local name of a value of the runtime's codec module. */
  readonly use: (name: ProtobufValue) => string;
  /** Returns the local name of a type of the runtime's codec module. */
  readonly type: (name: ProtobufTypeName) => string;
}

/** Returns the module with the messages and kinds of `home`. */
export function protobufModule(home: HomeCodecs, plan: CodecPlan, options: EmitOptions): Module {
  const scope = scopeOf(home, plan, options);
  declareCodecs(home, scope);
  for (const key of home.messages) declareMessage(key, home, plan, options, scope);
  return scope.module;
}

function scopeOf(home: HomeCodecs, plan: CodecPlan, options: EmitOptions): Scope {
  const door = protobufSpecifier(options, 2);
  const own = home.messages.flatMap((key) => [functionName('read', key), functionName('write', key)]);
  const module = new Module(door, [...own, 'codecs']);
  const use = (name: string): string => module.value(door, name, `runtime${capitalise(name)}`);
  const refer = (verb: Verb, key: string): string => {
    const name = functionName(verb, key);
    if (plan.runtimeMessages.has(key)) return use(name);
    const from = homeOf(key);
    if (from === home.home) return name;
    return module.value(`../../${from}/protobuf${extension(options)}`, name, foreignName(verb, key));
  };
  const names: MessageNames = {
    read: (key) => refer('read', key),
    write: (key) => refer('write', key),
    use,
    local: (name) => module.local(name),
    message: (key) => plan.table.messages.get(key),
  };
  return { module, names, use, type: (name) => module.type(door, name, name) };
}

type Verb = 'read' | 'write';

/** Returns `readPodSpec` for `core/v1.PodSpec`. */
function functionName(verb: Verb, key: string): string {
  return `${verb}${key.slice(key.lastIndexOf('.') + 1)}`;
}

/** Returns `readCoreV1PodSpec`, for a module that declares a `readPodSpec` of its own. */
function foreignName(verb: Verb, key: string): string {
  const words = homeOf(key).match(/[A-Za-z0-9]+/g) ?? [];
  return `${verb}${words.map(capitalise).join('')}${functionName(verb, key).slice(verb.length)}`;
}

function homeOf(key: string): string {
  return key.slice(0, key.lastIndexOf('.'));
}

function declareMessage(
  key: string,
  home: HomeCodecs,
  plan: CodecPlan,
  { emit }: EmitOptions,
  { module, names, type }: Scope,
): void {
  const message = plan.table.messages.get(key);
  if (message === undefined) throw new Error(`the table of fields has no message ${key}`);
  for (const name of ['Message', 'Reader', 'Writer'] as const) type(name);
  const text = (form: 'ts' | 'js' | 'dts'): string =>
    messageText(message, names, { form, exported: home.shared.has(key) });
  // Printing a form that is not written would take as long as one that is.
  const isSource = emit === 'ts';
  module.add({
    ts: isSource ? text('ts') : '',
    dts: isSource ? '' : text('dts'),
    js: isSource ? '' : text('js'),
  });
}

function declareCodecs({ kinds }: HomeCodecs, scope: Scope): void {
  const docs = 'Codecs of the kinds of this group version, loaded by `protobuf` of its descriptors.';
  const entries = kinds.map((kind) => entryText(kind, scope));
  const body = entries.length === 0 ? '' : `[\n${entries.join('')}]`;
  scope.module.constant({
    docs: comment([docs], [], ''),
    name: 'codecs',
    type: scope.type('Codecs'),
    value: `/* @__PURE__ */ new Map(${body})`,
    typedValue: `/* @__PURE__ */ new Map<string, ${scope.type('KindCodec')}>(${body})`,
  });
}

function entryText({ kind, message, items = message }: TableKind, { names, use }: Scope): string {
  const codec = `{ read: ${names.read(items)}, write: ${names.write(items)} }`;
  const value = items === message ? codec : `${use('listCodec')}(${codec})`;
  const line = `  [${quoted(kind)}, ${value}],\n`;
  return line.length <= lineWidth + 1 ? line : `  [\n    ${quoted(kind)},\n    ${value},\n  ],\n`;
}
