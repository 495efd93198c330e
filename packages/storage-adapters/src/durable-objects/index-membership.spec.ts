import { IndexMembership } from './index-membership.js';

/** A membership whose index answers when it is told to. */
function create(listed: boolean | undefined = false) {
  const told: { listed: boolean; answer: (error?: Error) => void }[] = [];
  const state = { isKept: false };
  const membership = new IndexMembership({
    isKept: () => state.isKept,
    listed,
    tell: (listed) =>
      new Promise((resolve, reject) => {
        told.push({ listed, answer: (error) => (error ? reject(error) : resolve()) });
      }),
  });
  return Object.assign(state, { told, membership });
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const keep = (made: { isKept: boolean }) => async () => {
  made.isKept = true;
};

it('has the key listed before what writes the first state runs', async () => {
  const made = create();
  const written = made.membership.whileListed(keep(made));
  await turn();
  expect(made.told.map(({ listed }) => listed)).toEqual([true]);
  expect(made.isKept).toBe(false);
  made.told[0]!.answer();
  await written;
  expect(made.isKept).toBe(true);
  expect(made.told).toHaveLength(1);
});

it('tells the index once for several who come at a time', async () => {
  const made = create();
  const written = Promise.all([1, 2, 3].map(() => made.membership.whileListed(keep(made))));
  await turn();
  made.told[0]!.answer();
  await written;
  expect(made.told).toHaveLength(1);
});

it('takes the key off when what ran wrote nothing after all', async () => {
  const made = create();
  const written = made.membership.whileListed(async () => undefined);
  await turn();
  made.told[0]!.answer();
  await written;
  await turn();
  expect(made.told.map(({ listed }) => listed)).toEqual([true, false]);
});

it('rejects, and runs nothing, when the index fails', async () => {
  const made = create();
  const run = jest.fn(keep(made));
  const written = made.membership.whileListed(run);
  await turn();
  made.told[0]!.answer(new Error('index'));
  await expect(written).rejects.toThrow('index');
  expect(run).not.toHaveBeenCalled();
});

it('waits with a listing for a removal that is under way', async () => {
  const made = create(true);
  made.membership.settleLater();
  await turn();
  const written = made.membership.whileListed(keep(made));
  await turn();
  expect(made.told.map(({ listed }) => listed)).toEqual([false]);
  made.told[0]!.answer();
  await turn();
  expect(made.told.map(({ listed }) => listed)).toEqual([false, true]);
  expect(made.isKept).toBe(false);
  made.told[1]!.answer();
  await written;
  expect(made.isKept).toBe(true);
});

it('tries a removal that failed again, and leaves a key that is kept alone when it is doubted', async () => {
  const made = create(true);
  made.membership.settleLater();
  await turn();
  made.told[0]!.answer(new Error('index'));
  await turn();
  made.membership.settleLater();
  await turn();
  expect(made.told).toHaveLength(2);
  made.told[1]!.answer();
  await turn();
  made.membership.doubt();
  await turn();
  expect(made.told.map(({ listed }) => listed)).toEqual([false, false, false]);
  made.told[2]!.answer();
  await turn();
  made.isKept = true;
  made.membership.doubt();
  await turn();
  expect(made.told).toHaveLength(3);
});
