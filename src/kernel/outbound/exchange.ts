/** Makes one request over a dispatcher. Never throws: failures are part of the result. */

import { type Dispatcher, request as send } from "undici";
import { codeOf, messageOf } from "../errors/index.ts";
import { acceptedCodings, type EncodedBody, encodeBody, readBody, TooLargeError } from "./body.ts";
import { ConnectError } from "./connect-error.ts";
import type { FailureReason, HttpFailure, HttpRequest, HttpResult } from "./contract.ts";
import { DeadlineExceeded } from "./deadline.ts";
import { noLatePause } from "./no-late-pause.ts";

export interface Bounds {
  readonly signal: AbortSignal;
  readonly maxBytes: number;
}

const userAgent = "Molva";

export async function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  bounds: Bounds,
): Promise<HttpResult> {
  let left = false;
  try {
    const body = request.body === undefined ? undefined : await encodeBody(request.body);
    const answer = await send(request.url, {
      dispatcher: dispatcher.compose(
        noLatePause,
        noticeStart(() => (left = true)),
      ),
      method: request.method,
      headers: headersOf(request, body),
      body: body?.bytes ?? null,
      signal: bounds.signal,
      ...(request.firstByteMs !== undefined && { headersTimeout: request.firstByteMs }),
    });
    const headers = flatten(answer.headers);
    return {
      kind: "answer",
      status: answer.statusCode,
      headers,
      body: await bodyOf(answer.body, headers, request, answer.statusCode, bounds.maxBytes),
      url: request.url,
    };
  } catch (error) {
    return failureFrom(error, left, bounds.signal);
  }
}

/** undici calls this when it begins to write to an open connection: from then on the request may have arrived. */
function noticeStart(notice: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        notice();
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });
}

function headersOf(request: HttpRequest, body: EncodedBody | undefined): Record<string, string> {
  const given = Object.entries(request.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  return {
    "user-agent": userAgent,
    "accept-encoding": acceptedCodings,
    ...Object.fromEntries(given),
    // Last, because only the form knows its boundary.
    ...(body?.contentType && { "content-type": body.contentType }),
    ...(body?.length !== undefined && { "content-length": String(body.length) }),
  };
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}

async function bodyOf(
  body: Dispatcher.ResponseData["body"],
  headers: Readonly<Record<string, string>>,
  { method, into }: HttpRequest,
  status: number,
  maxBytes: number,
): Promise<Uint8Array> {
  const taken = status >= 200 && status < 300 ? into : undefined;
  const taker = taken && ((chunks: AsyncIterable<Uint8Array>) => taken(chunks, { status, headers }));
  try {
    const announced = Number(headers["content-length"] ?? 0);
    if (method !== "HEAD" && announced > maxBytes) {
      throw new TooLargeError(`the answer announces ${announced} bytes, more than ${maxBytes}`);
    }
    const coding = method === "HEAD" ? "" : (headers["content-encoding"] ?? "");
    return await readBody(body, coding, maxBytes, taker);
  } catch (error) {
    body.on("error", () => {}).destroy();
    throw error;
  }
}

function failureFrom(error: unknown, left: boolean, signal: AbortSignal): HttpFailure {
  const cause = signal.aborted ? signal.reason : error;
  return {
    kind: "failure",
    reason: reasonOf(cause, signal.aborted),
    mayHaveArrived: left,
    message: messageOf(cause),
  };
}

const brokenConnection = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ECONNABORTED"]);

function reasonOf(cause: unknown, aborted: boolean): FailureReason {
  if (cause instanceof DeadlineExceeded) return "timeout";
  if (aborted) return "aborted";
  if (cause instanceof ConnectError) return cause.reason;
  if (cause instanceof TooLargeError) return "too_large";
  if (codeOf(cause) === "UND_ERR_HEADERS_TIMEOUT") return "timeout";
  return brokenConnection.has(codeOf(cause) ?? "") ? "reset" : "protocol";
}
