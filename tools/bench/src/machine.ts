import { cpus } from 'node:os';

/** Where and when figures were taken; nothing that names the machine or its paths. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
  /** Day of the run, as YYYY-MM-DD. */
  readonly date: string;
  /** Whether the client had one core to itself and the servers another. */
  readonly pinned: boolean;
}

export function thisMachine(pinned: boolean): Machine {
  const cores = cpus();
  return {
    cpu: cores[0]?.model ?? 'unknown',
    cores: cores.length,
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
    pinned,
  };
}
