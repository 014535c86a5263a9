/** Returns a preference saved in this browser, or null when there is none or storage is disabled. */
export function loadPreference(key: string): string | null {
  try {
    return localStorage.getItem(`card-sandbox.${key}`);
  } catch {
    return null;
  }
}

/** Saves a preference in this browser. Has no effect when storage is disabled. */
export function savePreference(key: string, value: string): void {
  try {
    localStorage.setItem(`card-sandbox.${key}`, value);
  } catch {
    // Without storage the preference lasts until the page is closed.
  }
}
