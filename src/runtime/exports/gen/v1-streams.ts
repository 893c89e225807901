/**
 * Version 1 of the module from which generated clients of pods import the types of their streams. It is
 * separate because these refer to the types of Node.js, without which other generated code compiles.
 */

export type { Attach, Exec } from '../../api/verbs/exec.ts';
export type { PortForward } from '../../api/verbs/port-forward.ts';
