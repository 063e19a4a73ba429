/** An address with letters instead of their codes. */
export function readableAddress(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}
