/** Returns the time of the monotonic clock that all processes of the machine share, in milliseconds. */
export function machineNow(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}
