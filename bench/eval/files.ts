/** A file or folder beside the sources of this measurement, which is compiled elsewhere. */
export const ownFiles = (path: string): URL => new URL(`../../../../bench/eval/${path}`, import.meta.url);
