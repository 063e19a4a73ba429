/** A line for the terminal that posts something through the webhook. */
export function sampleRequest(origin: string, secret: string, text: string): string {
  const body = JSON.stringify({ payload: { text } });
  return [
    `curl ${origin}/api/v1/ingest`,
    `-H 'X-Molva-Secret: ${secret}'`,
    "-H 'Content-Type: application/json'",
    `-d '${body}'`,
  ].join(" \\\n  ");
}
