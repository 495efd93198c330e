import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findOnPath } from '../process/find-on-path.ts';

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  /** PEM; the certificate is its own authority. */
  readonly ca: string;
}

/**
 * Makes a certificate for 127.0.0.1 and localhost in the folder, valid for two days.
 *
 * @throws if there is no openssl on PATH.
 */
export async function createCertificate(folder: string): Promise<Certificate> {
  const openssl = findOnPath('openssl');
  if (openssl === undefined) {
    throw new Error('Cannot make a certificate for TLS: openssl is not on PATH');
  }
  const certFile = join(folder, 'cert.pem');
  const keyFile = join(folder, 'key.pem');
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout'.split(' ');
  const subject = '-days 2 -subj /CN=localhost -addext'.split(' ');
  const names = 'subjectAltName=IP:127.0.0.1,DNS:localhost';
  const args = ['req', '-x509', ...key, keyFile, ...subject, names, '-out', certFile];
  await promisify(execFile)(openssl, args);
  return { certFile, keyFile, ca: await readFile(certFile, 'utf8') };
}
