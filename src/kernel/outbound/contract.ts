/** An HTTP exchange as the rest of the system sees it: an answer, or a failure that says whether the request left. */
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
  readonly body?: string | Uint8Array | FormData;
  /** From the look-up of the name to the last byte in, redirects included. */
  readonly timeoutMs?: number;
  /** The largest answer that is read, before and after decompression; a larger one is a failure. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export type HttpResult = HttpAnswer | HttpFailure;

export interface HttpAnswer {
  readonly kind: "answer";
  readonly status: number;
  /** Names in lower case; several values of one name are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  readonly body: Uint8Array;
  /** The address that answered, after redirects. */
  readonly url: string;
}

export interface HttpFailure {
  readonly kind: "failure";
  readonly reason: FailureReason;
  /** False only when it is certain that the server saw nothing of this request. */
  readonly mayHaveArrived: boolean;
  /** Names the host at most: a path may hold a token. */
  readonly message: string;
}

export type FailureReason =
  | "timeout"
  /** No connection: refused, unreachable, unknown name. */
  | "connect"
  | "tls"
  /** The connection broke after it stood. */
  | "reset"
  | "too_large"
  /** We would not ask: the address is not allowed. */
  | "refused"
  | "aborted"
  /** The answer was not HTTP that we understand. */
  | "protocol";
