import { progress } from './print.ts';

/** Reports a save of the state file: the file, its records and its size. Nothing when there is no state file. */
export function reportSave(
  saved: { readonly file: string; readonly records: number; readonly bytes: number } | null,
): void {
  if (saved === null) return;
  const { file, records, bytes } = saved;
  progress(`saved the state to ${file}: ${records} records, ${bytes} bytes`);
}
