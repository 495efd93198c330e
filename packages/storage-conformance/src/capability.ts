/**
 * What a store may lack: `compare` (compare-and-delete and -expire), `atomic` (`execute`), `together` (`executeTogether`),
 * `pubSub` (publish and subscribe), `receivers` (`publish` knows of every subscriber, wherever it is connected).
 */
export type Capability = 'compare' | 'atomic' | 'together' | 'pubSub' | 'receivers';
