import fc from 'fast-check';
import { MinHeap } from './min-heap.js';

describe('MinHeap', () => {
  it('always has the smallest item on top', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(0xffffffff)), { maxLength: 60 }), (steps) => {
        const heap = new MinHeap(steps.length);
        const model: number[] = [];
        for (const step of steps) {
          if (step === null) {
            heap.pop();
            model.shift();
          } else {
            heap.push(step);
            model.push(step);
            model.sort((left, right) => left - right);
          }
          expect(heap.peek()).toBe(model[0] ?? -1);
        }
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});
