import { GuardError } from '@frontmcp/guard-core';

import { fakeExchange, type FakeExchange } from '../../test/fake-exchange.js';
import type { Admitted } from '../guard/http-outcome.js';
import { holdUntilEnd, type HoldOptions } from './hold-until-end.js';

interface Held extends FakeExchange {
  readonly release: jest.Mock;
  readonly answer: jest.Mock;
  readonly abort: (reason: unknown) => void;
}

function hold(working?: HoldOptions['working'], more: Partial<Admitted> = {}): Held {
  const fakes = fakeExchange();
  const controller = new AbortController();
  const release = jest.fn(() => Promise.resolve());
  const answer = jest.fn(() => void fakes.response.end());
  const permit = { release, rateLimits: {}, signal: controller.signal };
  const admitted = {
    permit,
    current: { context: {}, permit },
    maxOverrunMs: 60_000,
    isTimed: true,
    refuse: (error: unknown) => ({ error }),
    ...more,
  } as unknown as Admitted;
  holdUntilEnd(fakes.exchange, fakes.response, admitted, { answer, working });
  return { ...fakes, release, answer, abort: (reason) => controller.abort(reason) };
}

const timeout = new GuardError('Too late', { code: 'EXECUTION_TIMEOUT', statusCode: 408 });
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('holdUntilEnd', () => {
  test('releases with the end of the response', () => {
    const { response, release } = hold();
    expect(release).not.toHaveBeenCalled();
    response.emit('close');
    expect(release).toHaveBeenCalledTimes(1);
  });

  test('releases when the work of the handler is done, where that is known', async () => {
    let done!: () => void;
    const work = new Promise<void>((resolve) => {
      done = resolve;
    });
    const { response, release } = hold(() => work);
    response.emit('close');
    await soon();
    expect(release).not.toHaveBeenCalled();
    done();
    await soon();
    expect(release).toHaveBeenCalledTimes(1);
  });

  test('answers when the time is up, and releases when the handler ends the response again', async () => {
    const { response, release, answer, abort } = hold();
    abort(timeout);
    expect(answer).toHaveBeenCalledWith({ error: timeout });
    response.emit('close');
    await soon();
    expect(release).not.toHaveBeenCalled();
    response.end();
    await soon();
    expect(release).toHaveBeenCalledTimes(1);
  });

  test('cuts off what has begun when the time is up', () => {
    const { response, answer, abort } = hold();
    response.headersSent = true;
    abort(timeout);
    expect(response.destroy).toHaveBeenCalledWith(timeout);
    expect(answer).not.toHaveBeenCalled();
  });

  test('does not touch what has ended when the time is up, and is still on its way', () => {
    const { response, answer, abort } = hold();
    response.headersSent = response.writableEnded = true;
    abort(timeout);
    expect([response.destroy, answer].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  });

  test('answers nothing when the signal aborts for another reason', () => {
    const { response, answer, abort } = hold();
    abort(new Error('Lease lost'));
    expect([response.destroy, answer].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  });

  test('answers at once when the time is up already', () => {
    const permit = { release: jest.fn(), signal: AbortSignal.abort(timeout) };
    const { answer } = hold(undefined, { current: { context: {}, permit } } as never);
    expect(answer).toHaveBeenCalledTimes(1);
  });
});
