import { parsedUrl } from "../url/index.ts";

/** The address of a project of Sentry: `https://<key>@<host>[/<path>]/<project>`. */
export interface Dsn {
  /** Where envelopes are posted. */
  readonly envelopeUrl: string;
  readonly publicKey: string;
  /** For sentences. */
  readonly host: string;
}

/** Undefined if the text is none. A secret key, which old ones have, is not used any more. */
export function readDsn(text: string): Dsn | undefined {
  const url = parsedUrl(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) return undefined;
  const at = url.pathname.lastIndexOf("/");
  const [path, project] = [url.pathname.slice(0, at), url.pathname.slice(at + 1)];
  if (!/^\w+$/.test(url.username) || !/^\d+$/.test(project)) return undefined;
  return {
    envelopeUrl: `${url.protocol}//${url.host}${path}/api/${project}/envelope/`,
    publicKey: url.username,
    host: url.host,
  };
}
