/** The result of an HTTP request: an answer, or a failure that says whether the request may have been sent. */
export interface HttpClient {
  request(request: HttpRequest): Promise<HttpResult>;
}

/** A client that owns its connections. */
export interface OwnedHttpClient extends HttpClient {
  close(): Promise<void>;
}

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | FormData | readonly FormPart[];
  /** For the whole request, from DNS to the last byte of the answer, redirects included. */
  readonly timeoutMs?: number;
  /** How long a server may take before its answer begins; the whole time unless given. */
  readonly firstByteMs?: number;
  /** The largest accepted answer, before and after decompression; a larger one is a failure. */
  readonly maxBytes?: number;
  /** How many redirects the guarded client follows; 0 returns one as it is, as the providers' client always does. */
  readonly maxRedirects?: number;
  /** Receives the body of a successful answer as a stream; the body in the result is then empty. */
  readonly into?: (chunks: AsyncIterable<Uint8Array>, head: HttpHead) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** A field of a form, or a file that is opened only when it is sent. */
export type FormPart =
  | { readonly name: string; readonly value: string }
  | {
      readonly name: string;
      readonly fileName: string;
      readonly contentType: string;
      readonly size: number;
      open(): Promise<AsyncIterable<Uint8Array>>;
    };

export type HttpResult = HttpAnswer | HttpFailure;

/** Status and headers. */
export interface HttpHead {
  readonly status: number;
  /** Names in lower case; several values of one name are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpAnswer extends HttpHead {
  readonly kind: "answer";
  /** Decompressed. */
  readonly body: Uint8Array;
  /** The address that answered, after redirects. */
  readonly url: string;
}

export interface HttpFailure {
  readonly kind: "failure";
  readonly reason: FailureReason;
  /** False only when it is certain that the server received nothing of this request. */
  readonly mayHaveArrived: boolean;
  /** Contains the host at most: a path may hold a token. */
  readonly message: string;
}

export type FailureReason =
  | "timeout"
  /** No connection: refused, unreachable, unknown name. */
  | "connect"
  | "tls"
  /** The connection broke after it was established. */
  | "reset"
  | "too_large"
  /** The address is not allowed, so no request was made. */
  | "refused"
  | "aborted"
  /** The answer was not valid HTTP. */
  | "protocol";
