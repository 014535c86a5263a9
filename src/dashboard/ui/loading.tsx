/** Shown while the content of a page is read for the first time. */
export function Loading() {
  return (
    <div class="loading" role="status" aria-label="Loading">
      {[0, 1, 2, 3, 4].map(each => (
        <span key={each} />
      ))}
    </div>
  );
}
