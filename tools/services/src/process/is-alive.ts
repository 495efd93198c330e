/** Whether there is a process with this id that this one may send signals to. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // ESRCH: no such process.
  }
}
