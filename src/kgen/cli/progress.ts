import type { Output } from './console.ts';

/** One line that says what a run is doing, on a terminal. */
export interface Progress {
  /** Replaces the line: the step, and how much of it is done where that is known. */
  readonly show: (step: string, done?: number, total?: number) => void;
  /** Takes the line away. */
  readonly end: () => void;
}

/** Progress of the run for `name`. Made of spaces and carriage returns, it needs no escape codes. */
export function startProgress({ write }: Output, name = ''): Progress {
  let width = 0;
  const put = (text: string, after = ''): void => {
    write(`\r${text.padEnd(width)}${after}`);
    width = text.length;
  };
  return {
    show: (step, done, total) => {
      const part = done === undefined ? '' : total === undefined ? ` ${done}` : ` ${done}/${total}`;
      put(`${name === '' ? '' : `${name}: `}${step}${part} …`);
    },
    end: () => {
      if (width > 0) put('', '\r');
    },
  };
}

/** Where nobody looks. */
export const noProgress: Progress = { show: () => {}, end: () => {} };
