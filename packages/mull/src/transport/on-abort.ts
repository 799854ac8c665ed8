class Followers extends Set<() => void> {
  handleEvent(): void {
    this.forEach((run) => run());
  }
}

const followersOf = new WeakMap<AbortSignal, Followers>();

/**
 * Runs `run` when `signal` aborts. Returns how to let go: the signal may outlive the call. All calls
 * share one listener, because Node prints MaxListenersExceededWarning for the eleventh on a signal.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  const followers = followersOf.get(signal) ?? new Followers();
  followersOf.set(signal, followers);
  if (followers.size === 0) signal.addEventListener("abort", followers);
  followers.add(run);
  return () => {
    if (followers.delete(run) && followers.size === 0)
      signal.removeEventListener("abort", followers);
  };
}
