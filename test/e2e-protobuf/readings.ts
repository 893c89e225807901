/** One object of a server, read in protobuf and in JSON at the same version. */
import { decode, encode } from '@kgen/kubernetes/protobuf';
import type { KubernetesObject } from '@kgen/runtime';
import { differences } from './differences.ts';
import { json, parsed, protobuf, type RawClient } from './raw-client.ts';

/** An object in both encodings. */
export interface Reading {
  readonly bytes: Uint8Array;
  readonly decoded: unknown;
  readonly parsed: unknown;
}

/** Maximum number of changes of an object during its reading, after which an error is thrown. */
const attempts = 50;

/** Reads an object until both responses have the same version. */
export async function bothWays(raw: RawClient, path: string): Promise<Reading> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const bytes = await raw.expect(protobuf, { path });
    const reading = { bytes, decoded: await decode(bytes), parsed: parsed(await raw.expect(json, { path })) };
    if (versionOf(reading.decoded) === versionOf(reading.parsed)) return reading;
  }
  throw new Error(`${path} changes too often to be read twice`);
}

/** Returns the errors of a reading; empty if there are none. */
export async function faults({ bytes, decoded, parsed: want }: Reading): Promise<readonly string[]> {
  const again = await encode(await decode(bytes));
  return [
    ...differences(decoded, want).map((line) => `decoded: ${line}`),
    ...(Buffer.compare(again, bytes) === 0 ? [] : ['encode(decode(bytes)) returns other bytes']),
  ];
}

/**
 * Replaces an object with itself, in protobuf encoded from both readings. A server stores nothing if nothing
 * changes, and the version stays the same.
 */
export async function replacements(raw: RawClient, path: string): Promise<readonly string[]> {
  // The first replacement of an object may store defaults that its creation did not.
  await replacement(raw, path, (reading) => JSON.stringify(reading.parsed));
  // A response of the server is an object.
  const decoded = await replacement(raw, path, (reading) =>
    encode(reading.decoded as KubernetesObject),
  ).catch(String);
  const read = await replacement(raw, path, (reading) => encode(reading.parsed as KubernetesObject)).catch(
    String,
  );
  return [
    ...(decoded === undefined ? [] : [`replaced by the decoded object: ${decoded}`]),
    ...(read === undefined ? [] : [`replaced by the parsed object: ${read}`]),
  ];
}

type Body = (reading: Reading) => string | Promise<Uint8Array>;

async function replacement(raw: RawClient, path: string, bodyOf: Body): Promise<string | undefined> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const reading = await bothWays(raw, path);
    const body = await bodyOf(reading);
    const contentType = typeof body === 'string' ? json : protobuf;
    const response = await raw.request({ method: 'PUT', path, body, contentType });
    if (response.status === 409) continue;
    const after = parsed(response.bytes);
    if (response.status !== 200) return `${response.status}: ${JSON.stringify(after)}`;
    if (versionOf(after) === versionOf(reading.parsed)) return undefined;
    return `stored anew: ${differences(after, reading.parsed).join('; ')}`;
  }
  return 'changes too often to be replaced';
}

/** Returns the version of an object from a server. */
export function versionOf(object: unknown): unknown {
  return (object as { readonly metadata?: { readonly resourceVersion?: unknown } }).metadata?.resourceVersion;
}
