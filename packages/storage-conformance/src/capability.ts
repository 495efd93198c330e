/**
 * What a store may lack: `compare` (compare-and-delete and -expire), `atomic` (`execute`), `together` (`executeTogether`),
 * `pubSub` (publish and subscribe), `receivers` (`publish` knows of every subscriber, wherever it is connected), `enumerate` (`keys`
 * and `count`), and `atomicPlain`: that `incr`, `decr`, `incrBy` and a `set` with a condition read and write as one action,
 * whatever comes at the same time.
 */
export type Capability =
  'compare' | 'atomic' | 'together' | 'pubSub' | 'receivers' | 'enumerate' | 'atomicPlain';
