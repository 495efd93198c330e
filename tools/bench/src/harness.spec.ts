import { compare, inFlight, repeat, repeatSync, type Contender } from './harness.ts';

const pace = { rotations: 3, sliceMs: 1 };

function group(contenders: Record<string, () => Contender>, floor = 'floor') {
  return { id: 'group', title: 'Group', expected: 1, floor, silent: true, contenders };
}

const one = (): Contender => ({ loop: repeat(() => 1) });

describe('compare', () => {
  it('has a row for each contender, the floor at 1', async () => {
    const { rows, ratio } = await compare(group({ floor: one, '@frontmcp/x': one }), pace);
    expect(ratio).toBe('× floor');
    expect(rows).toMatchObject([
      { name: 'floor', ours: false, ratio: 1 },
      { name: '@frontmcp/x', ours: true },
    ]);
  });

  it('times nobody when one gives another answer', async () => {
    const calls: number[] = [];
    const counting = (): Contender => ({ loop: repeat((i) => calls.push(i) && 1) });
    const wrong = (): Contender => ({ loop: repeat(() => 2) });
    await expect(compare(group({ floor: counting, wrong }), pace)).rejects.toThrow(
      'Group: wrong answers 2, not 1',
    );
    expect(calls).toEqual([0]);
  });

  it('leaves out whose package is missing, and no other failure', async () => {
    const missing = (): never => {
      throw Object.assign(new Error('Cannot find x'), { code: 'ERR_MODULE_NOT_FOUND' });
    };
    const failing = (): never => {
      throw new Error('Cannot be made');
    };
    const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    const { rows } = await compare(group({ floor: one, missing }), pace);
    expect(log).toHaveBeenCalledWith('Left out missing: Cannot find x');
    log.mockRestore();
    expect(rows).toHaveLength(1);
    await expect(compare(group({ floor: one, failing }), pace)).rejects.toThrow('Cannot be made');
  });

  it('needs a floor', async () => {
    await expect(compare(group({ one }), pace)).rejects.toThrow('no floor to compare with');
  });

  it('closes every contender', async () => {
    const close = jest.fn();
    await compare(group({ floor: () => ({ ...one(), close }) }), pace);
    expect(close).toHaveBeenCalledTimes(1);
  });
});

describe('loops', () => {
  it('repeat calls with the numbers that follow, each awaited', async () => {
    const seen: number[] = [];
    const last = await repeat(async (i) => seen.push(i))(5, 3);
    expect(seen).toEqual([5, 6, 7]);
    expect(last).toBe(3);
  });

  it('repeatSync goes round below its modulus', async () => {
    const seen: number[] = [];
    await repeatSync((i) => seen.push(i), 4)(2, 4);
    expect(seen).toEqual([2, 3, 0, 1]);
  });

  it('inFlight has so many calls under way at once', async () => {
    let underWay = 0;
    let most = 0;
    await inFlight(4, async () => {
      most = Math.max(most, ++underWay);
      await Promise.resolve();
      underWay--;
    })(0, 16);
    expect(most).toBe(4);
  });
});
