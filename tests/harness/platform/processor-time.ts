/**
 * What synchronous work costs, whatever else the machine does meanwhile.
 * @returns processor time of this process, in milliseconds
 */
export function processorTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
