import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loopback } from '../process/free-port.ts';
import { logFile, startProcess, type ServiceProcess } from '../process/start-process.ts';
import { GiveUpError, until } from '../process/until.ts';
import { RespError } from '../resp/resp-value.ts';
import { callOnce } from './call-once.ts';
import { createCertificate, type Certificate } from './create-certificate.ts';
import { findRedisServer } from './find-redis-server.ts';
import { formatConfig, type RedisConfig } from './redis-config.ts';
import type { RedisServer } from './redis-server.ts';

export interface LaunchOptions {
  readonly port: number;
  readonly config?: RedisConfig;
  readonly tls?: boolean;
  readonly sentinel?: boolean;
}

/** The server has ended at once because something else listens on its port. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

const configFile = 'redis.conf';
const socketFile = 'redis.sock';

/** Starts a redis-server on the port, in a folder of its own; resolves when it answers. */
export async function launchRedis(options: LaunchOptions): Promise<RedisServer> {
  const { port, config = {}, tls = false, sentinel = false } = options;
  const command = await findRedisServer();
  const folder = await mkdtemp(join(tmpdir(), 'guard-redis-'));
  const password = [config['requirepass'] ?? ''].flat().join('');
  const call = (...args: string[]) => callOnce(join(folder, socketFile), password, args);
  let lastLog: string | undefined;
  let stopping: Promise<void> | undefined;

  const start = async (): Promise<ServiceProcess> => {
    const args = [join(folder, configFile), ...(sentinel ? ['--sentinel'] : [])];
    const started = await startProcess(command, args, folder);
    await untilAnswers(started, call, () => endedAtOnce(options, command, folder));
    return started;
  };
  const running = (what: string): ServiceProcess => {
    if (process.running) return process;
    throw new Error(`Cannot ${what} the Redis server on port ${port}: it does not run`);
  };
  const stop = async (): Promise<void> => {
    await process.kill();
    lastLog = await readLog(folder);
    await rm(folder, { recursive: true, force: true });
  };

  let certificate: Certificate | undefined;
  let process: ServiceProcess;
  try {
    if (tls) certificate = await createCertificate(folder);
    await writeFile(join(folder, configFile), baseConfig(port, certificate) + formatConfig(config));
    process = await start();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }

  const login = password === '' ? '' : `:${encodeURIComponent(password)}@`;
  return {
    host: loopback,
    port,
    url: `${tls ? 'rediss' : 'redis'}://${login}${loopback}:${port}`,
    ca: certificate?.ca,
    get pid() {
      return process.pid;
    },
    get running() {
      return process.running;
    },
    call,
    log: () => lastLog ?? readFileSync(join(folder, logFile), 'utf8'),
    kill: () => process.kill(),
    restart: async () => {
      if (stopping !== undefined) running('restart');
      await process.kill();
      process = await start();
    },
    pause: () => void running('pause').signal('SIGSTOP'),
    resume: () => void running('resume').signal('SIGCONT'),
    stop: () => (stopping ??= stop()),
  };
}

function baseConfig(port: number, certificate: Certificate | undefined): string {
  return formatConfig({
    bind: loopback,
    'protected-mode': 'no',
    unixsocket: socketFile,
    'enable-debug-command': 'local',
    save: '',
    appendonly: 'no',
    daemonize: 'no',
    ...(certificate === undefined
      ? { port: String(port) }
      : {
          port: '0',
          'tls-port': String(port),
          'tls-cert-file': certificate.certFile,
          'tls-key-file': certificate.keyFile,
          'tls-ca-cert-file': certificate.certFile,
          'tls-auth-clients': 'no',
        }),
  });
}

/** Waits for any answer but LOADING; an error that says who may do what is one. */
async function untilAnswers(
  process: ServiceProcess,
  call: (...args: string[]) => Promise<unknown>,
  failure: () => Promise<Error>,
): Promise<void> {
  try {
    await until('redis-server answers', async () => {
      if (!process.running) throw new GiveUpError();
      await call('PING').catch((error: unknown) => {
        if (!(error instanceof RespError) || error.message.startsWith('LOADING')) throw error;
      });
      return true;
    });
  } catch (error) {
    if (!(error instanceof GiveUpError)) await process.kill();
    throw error instanceof GiveUpError ? await failure() : error;
  }
}

async function endedAtOnce(
  options: LaunchOptions,
  command: string,
  folder: string,
): Promise<Error> {
  const log = await readLog(folder);
  if (options.tls === true && /Bad directive/.test(log) && log.includes('tls-')) {
    return new Error(`Cannot serve TLS: "${command}" is built without it`);
  }
  const message = `Cannot start redis-server on port ${options.port}: it has ended with\n${log}`;
  return /Address already in use/.test(log) ? new PortTakenError(message) : new Error(message);
}

function readLog(folder: string): Promise<string> {
  return readFile(join(folder, logFile), 'utf8');
}
