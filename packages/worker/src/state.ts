/** The worker's two states, as types. `Worker<Mutable>` and `Worker<CacheLocked>` are different types. */

/** System prompt, history, tools and hooks can change. */
export type Mutable = "mutable";
/** The history only grows; what was sent before is sent again byte for byte. */
export type CacheLocked = "cache_locked";

export type WorkerState = Mutable | CacheLocked;
