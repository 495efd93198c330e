/**
 * What a store may lack: `compare` (compare-and-delete and -expire), `atomic` (`execute`), `together` (`executeTogether`),
 * `pubSub` (publish and subscribe).
 */
export type Capability = 'compare' | 'atomic' | 'together' | 'pubSub';
