import type { HttpClient, HttpFailure } from "../../kernel/outbound/index.ts";

/** What one request sent and received: the SDK keeps less than we need. */
export interface Wire {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  failure?: HttpFailure;
  /** Only of an answer that is not a stream. */
  body?: string;
}

export interface WireSettings {
  readonly http: HttpClient;
  readonly timeoutMs: number;
  readonly stream: boolean;
}

/** Our HTTP client as the `fetch` of the SDK. Records the exchange in `wire`. */
export function fetchOver({ http, timeoutMs, stream }: WireSettings, wire: Wire): typeof fetch {
  return async (input, init = {}) => {
    const answered = new Promise<Response>((resolve, reject) => {
      let pipe: ReadableStreamDefaultController<Uint8Array> | undefined;
      const request = http.request({
        method: "POST",
        url: input instanceof Request ? input.url : String(input),
        headers: Object.fromEntries(new Headers(init.headers)),
        body: typeof init.body === "string" ? init.body : "",
        timeoutMs,
        ...(init.signal && { signal: init.signal }),
        ...(stream && {
          into: async (chunks, head) => {
            Object.assign(wire, head);
            const body = new ReadableStream<Uint8Array>({
              start: (controller) => {
                pipe = controller;
              },
            });
            resolve(responseOf(body, head));
            for await (const chunk of chunks) pipe?.enqueue(new Uint8Array(chunk));
          },
        }),
      });
      request.then((result) => {
        if (result.kind === "failure") {
          wire.failure = result;
          const error = new Error(result.message);
          if (pipe) pipe.error(error);
          else reject(error);
          return;
        }
        Object.assign(wire, { status: result.status, headers: result.headers });
        if (pipe) return pipe.close();
        wire.body = Buffer.from(result.body).toString("utf8");
        resolve(responseOf(wire.body, result));
      }, reject);
    });
    return answered;
  };
}

/** The body is already decompressed, so its content-encoding headers are removed. */
function responseOf(
  body: string | ReadableStream<Uint8Array>,
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
): Response {
  const kept = Object.entries(headers).filter(
    ([name]) => !/^(content-(encoding|length)|transfer-encoding)$/.test(name),
  );
  return new Response(body, { status, headers: Object.fromEntries(kept) });
}

/** A request that was refused or never sent costs nothing. */
export function mayCost({ status, failure }: Wire): boolean {
  if (failure) return failure.mayHaveArrived;
  return status !== undefined && status < 400;
}
