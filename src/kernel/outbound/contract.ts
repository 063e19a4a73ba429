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
  readonly body?: string | Uint8Array | FormData | readonly FormPart[];
  /** From the look-up of the name to the last byte in, redirects included. */
  readonly timeoutMs?: number;
  /** How long a server may say nothing before its answer begins; the whole time unless given. */
  readonly firstByteMs?: number;
  /** The largest answer that is read, before and after decompression; a larger one is a failure. */
  readonly maxBytes?: number;
  /** Takes the body of a successful answer as it comes, which is then left empty in the answer itself. */
  readonly into?: (chunks: AsyncIterable<Uint8Array>, head: HttpHead) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** A field of a form, or a file that is opened when its turn comes. */
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

/** What comes before a body. */
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
