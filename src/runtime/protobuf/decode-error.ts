import { DecodeError } from '../errors.ts';
import type { Operation } from '../rest/types.ts';

/** Where in which object something is wrong. */
export interface Fault {
  /** Of the outermost message, such as `Pod`; empty where it is not known yet. */
  readonly kind: string;
  /** Names of the fields on the way, such as `spec.containers[3].image`; empty: the object itself. */
  readonly path: string;
  /** Of the first byte that is wrong, counted from the beginning of what was to be decoded. */
  readonly offset: number;
  readonly operation?: Operation | undefined;
}

/** Names are the server's: they may be long, and have ends of lines in them. */
function nameOf(name: string): string {
  const [line = ''] = name.slice(0, 200).split(/\p{Cc}/u, 1);
  return line === name ? name : `${line}…`;
}

/** Bytes that are not what Kubernetes' protobuf looks like. */
export class ProtobufError extends DecodeError {
  readonly kind: string;
  readonly path: string;
  readonly offset: number;

  /** `problem`: what is wrong, as the end of a sentence. */
  constructor(problem: string, fault: Fault) {
    const { kind, path, offset, operation } = fault;
    const where = [nameOf(kind), path].filter((part) => part !== '').join(' ');
    super(`protobuf: ${where === '' ? '' : `${where}: `}${problem} (at byte ${offset})`, operation);
    this.kind = kind;
    this.path = path;
    this.offset = offset;
  }
}

/** A field that the table does not have: the server is newer than it. Nothing is wrong with the bytes. */
export class UnknownFieldError extends ProtobufError {
  /** The field's number in its message. */
  readonly number: number;

  constructor(number: number, fault: Fault) {
    super(`field ${number} is not known here, the server may be newer than this client`, fault);
    this.number = number;
  }
}

/** An object of a kind that no table here has. Nothing is wrong with the bytes. */
export class UnknownKindError extends ProtobufError {
  /** Of the object. */
  readonly apiVersion: string;

  constructor(apiVersion: string, fault: Fault) {
    super(`${JSON.stringify(`${nameOf(apiVersion)} ${nameOf(fault.kind)}`)} is not known here`, fault);
    this.apiVersion = apiVersion;
  }
}
