import type { Output } from './console.ts';

/** One line on a terminal that shows the current step of a run. */
export interface Progress {
  /** Replaces the line with the step, and its progress if that is known. */
  readonly show: (step: string, done?: number, total?: number) => void;
  /** Removes the line. */
  readonly end: () => void;
}

/** Used if the output is not a terminal. */
export const noProgress: Progress = { show: () => {}, end: () => {} };

/**
 * Starts the progress line of the run for `name`. It consists of spaces and carriage returns, without escape
 * codes.
 */
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
