import type { HttpLayer } from './contract-layer.ts';
import { expectReply } from './expect-reply.ts';
import type { HttpCase } from './http-case.ts';
import { httpCases } from './http-cases.ts';
import { Stage } from './stage/stage.ts';

/** Runs every case of the contract against a layer, as Jest tests. */
export function describeHttpContract(name: string, layer: HttpLayer): void {
  const cannot = layer.cannot ?? {};
  describe(`${name} answers as the HTTP contract says`, () => {
    test('and names only cases that it has when it cannot do one', () => {
      expect(httpCases.map((each) => each.name)).toEqual(
        expect.arrayContaining(Object.keys(cannot)),
      );
    });
    for (const httpCase of httpCases) {
      const reason = cannot[httpCase.name];
      if (reason !== undefined) {
        test(`${httpCase.name} (cannot: ${reason})`, () => expect(reason).not.toBe(''));
      } else test(httpCase.name, () => playCase(layer, httpCase));
    }
  });
}

async function playCase(layer: HttpLayer, httpCase: HttpCase): Promise<void> {
  const stage = new Stage(layer, httpCase);
  const { refusedAtCreation, steps = [], play } = httpCase;
  try {
    if (refusedAtCreation !== undefined) {
      await expect(stage.set()).rejects.toMatchObject({
        name: refusedAtCreation.name,
        message: expect.stringMatching(refusedAtCreation.message) as string,
      });
    } else await stage.set();
    for (const [ask, expected] of steps) {
      expectReply(await stage.ask(ask), expected);
      // The client may have its reply before the server has given the slot back.
      await stage.untilTaken(0);
    }
    await play?.(stage);
    await stage.strike();
  } finally {
    await stage.end();
  }
}
