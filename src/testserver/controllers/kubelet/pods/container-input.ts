/** Standard input of the main process of a container. */

import { type Json, own } from '@kgen/schema/values/json';
import type { ReadInput } from '../programs.ts';

/** Input that clients send who attach to a container. */
export class ContainerInput {
  #text = '';
  #isEnded = false;

  /** Adds text of a client. */
  push(text: string): void {
    this.#text += text;
  }

  /** Ends the input with its first client, if the container wants only one. Returns whether it does. */
  detach(spec: Json): boolean {
    this.#isEnded ||= own(spec, 'stdinOnce') === true;
    return this.#isEnded;
  }

  /** Returns what the process can read: nothing, if its container has no input. */
  read(spec: Json): ReturnType<ReadInput> {
    const text = this.#text;
    this.#text = '';
    if (text !== '') return text;
    return this.#isEnded || own(spec, 'stdin') !== true ? undefined : '';
  }
}
