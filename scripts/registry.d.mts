export interface Registry {
  readonly url: string;
  /** Of the packages that it has itself. */
  readonly names: readonly string[];
  stop(): void;
}

/** @param port default any that is free */
export function startRegistry(port?: number): Promise<Registry>;
