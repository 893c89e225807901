import { DecodeError } from '../../api/errors.ts';
import type { RequestOperation } from '../../api/operation.ts';

/** Position of an error in an object. */
export interface Fault {
  /** Kind of the outermost message, such as `Pod`; empty if it is not known yet. */
  readonly kind: string;
  /** Names of the enclosing fields, such as `spec.containers[3].image`; empty for the object itself. */
  readonly path: string;
  /** Offset of the first malformed byte, from the beginning of the decoded bytes. */
  readonly offset: number;
  readonly operation?: RequestOperation | undefined;
}

/** Malformed Kubernetes Protobuf. */
export class ProtobufError extends DecodeError {
  readonly kind: string;
  readonly path: string;
  readonly offset: number;

  /** `problem`: the error as the end of a sentence. */
  constructor(problem: string, fault: Fault) {
    const { kind, path, offset, operation } = fault;
    const where = [nameOf(kind), path].filter((part) => part !== '').join(' ');
    super(`protobuf: ${where === '' ? '' : `${where}: `}${problem} (at byte ${offset})`, operation);
    this.kind = kind;
    this.path = path;
    this.offset = offset;
  }
}

/** Names come from the server: they may be long and contain line breaks. */
function nameOf(name: string): string {
  const [line = ''] = name.slice(0, 200).split(/\p{Cc}/u, 1);
  return line === name ? name : `${line}…`;
}

/** A field that is not in the table, because the server is newer. The bytes are valid. */
export class UnknownFieldError extends ProtobufError {
  /** Number of the field in its message. */
  readonly number: number;

  constructor(number: number, fault: Fault) {
    super(`field ${number} is not known here, the server may be newer than this client`, fault);
    this.number = number;
  }
}

/** An object of a kind without a codec. The bytes are valid. */
export class UnknownKindError extends ProtobufError {
  /** The apiVersion of the object. */
  readonly apiVersion: string;

  constructor(apiVersion: string, fault: Fault) {
    super(`${JSON.stringify(`${nameOf(apiVersion)} ${nameOf(fault.kind)}`)} is not known here`, fault);
    this.apiVersion = apiVersion;
  }
}
