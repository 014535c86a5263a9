/** Returns a function that builds a value when it is first called, and returns the same value from then on. */
export function once<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}

/** Calls `load` once. After a load that fails, the next call tries again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  const retryNextTime = (error: unknown) => {
    loading = undefined;
    throw error;
  };
  return () => {
    loading ??= load().catch(retryNextTime);
    return loading;
  };
}
