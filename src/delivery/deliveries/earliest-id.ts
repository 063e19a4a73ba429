/** The smallest UUIDv7 that can be made at this moment: ids sort by birth, so a time is a place among them. */
export function earliestIdAt(moment: Date): string {
  const hex = Math.max(0, moment.getTime()).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`;
}
