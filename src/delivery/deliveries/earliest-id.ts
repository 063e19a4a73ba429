/**
 * The smallest UUIDv7 that can be created at this moment. Ids sort by creation time, so this turns a time into a range of ids.
 */
export function earliestIdAt(moment: Date): string {
  const hex = Math.max(0, moment.getTime()).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`;
}
