const ERRORS = 'https://agentfront.github.io/guard/errors';

/** Where the errors of a code are explained: what they mean, and what to do. Codes of this project only. */
export function errorHelp(code: string): string {
  return `${ERRORS}#${code.toLowerCase()}`;
}
