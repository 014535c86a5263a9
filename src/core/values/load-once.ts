/**
 * Returns a function that resolves with what `load` does, and calls it once. After a load that fails, the next call
 * tries again.
 */
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
