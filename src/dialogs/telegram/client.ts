/** The only file that uses grammY, which is loaded at the first call. */
import { Readable } from "node:stream";
import type { Api, ApiClientOptions } from "grammy";
import { z } from "zod";
import type { FormPart, HttpClient, HttpFailure } from "../../kernel/outbound/index.ts";

export interface TelegramSettings {
  readonly http: HttpClient;
  /** Without a trailing slash. */
  readonly apiRoot: string;
  /** Read for every call, since an operator may replace it at any time. */
  token(): Promise<string | undefined>;
}

export type Answer<Result> =
  | { readonly kind: "ok"; readonly result: Result }
  | {
      readonly kind: "refused";
      readonly code: number;
      readonly description: string;
      readonly retryAfterMs?: number;
    }
  /** The outcome is unknown, unless it is certain that nothing has arrived. */
  | { readonly kind: "unheard"; readonly reason: string; readonly mayHaveArrived: boolean };

export interface TelegramApi {
  readonly settings: TelegramSettings;
  /** Never throws because of Telegram or the network. */
  call<Result>(ask: (api: Api) => Promise<Result>, signal?: AbortSignal): Promise<Answer<Result>>;
  /** A method whose files travel with the request. Values that are not strings are written as JSON. */
  upload(
    method: string,
    fields: Readonly<Record<string, unknown>>,
    files: readonly Upload[],
  ): Promise<Answer<SentMessage>>;
}

export interface Upload {
  /** As `attach://name` names it. */
  readonly name: string;
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** The first of them, if the method sends several. */
export interface SentMessage {
  readonly message_id: number;
}

const messageShape = z.object({ message_id: z.number() });
const answerShape = z.union([
  z.object({ ok: z.literal(true), result: z.union([messageShape, z.array(messageShape).min(1)]) }),
  z.object({
    ok: z.literal(false),
    error_code: z.number(),
    description: z.string().default(""),
    parameters: z.object({ retry_after: z.number().optional() }).default({}),
  }),
]);
const uploadTimeoutMs = 120_000;

export const noToken = { kind: "refused", code: 401, description: "the bot has no token" } as const;

export function telegramApi(settings: TelegramSettings): TelegramApi {
  return {
    settings,
    async call(ask, signal) {
      const token = await settings.token();
      if (token === undefined) return noToken;
      const { Api, GrammyError, HttpError } = await import("grammy");
      const { apiRoot, http } = settings;
      try {
        const result = await ask(new Api(token, { apiRoot, fetch: fetchThrough(http, signal) }));
        return { kind: "ok", result };
      } catch (error) {
        if (error instanceof HttpError) return unheard(reasonOf(error.error), mayHaveArrived(error.error));
        if (!(error instanceof GrammyError)) throw error;
        const { error_code: code, description, parameters } = error;
        const { retry_after: seconds } = parameters;
        return {
          kind: "refused",
          code,
          description,
          ...(seconds !== undefined && { retryAfterMs: seconds * 1_000 }),
        };
      }
    },
    async upload(method, fields, files) {
      const token = await settings.token();
      if (token === undefined) return noToken;
      const { apiRoot, http } = settings;
      const values = Object.entries(fields)
        .filter(([, value]) => value !== undefined)
        .map(
          ([name, value]): FormPart => ({
            name,
            value: typeof value === "string" ? value : JSON.stringify(value),
          }),
        );
      const answer = await http.request({
        method: "POST",
        url: `${apiRoot}/bot${token}/${method}`,
        body: [...values, ...files.map(partOf)],
        timeoutMs: uploadTimeoutMs,
      });
      if (answer.kind === "failure") return unheard(answer.message, answer.mayHaveArrived);
      const read = answerShape.safeParse(jsonOf(answer.body));
      if (!read.success) return unheard(`status ${answer.status} without a known answer`);
      if (read.data.ok) {
        const { result } = read.data;
        const first = Array.isArray(result) ? result[0] : result;
        return first ? { kind: "ok", result: first } : unheard("no message");
      }
      const { error_code: code, description, parameters } = read.data;
      const { retry_after: seconds } = parameters;
      return {
        ...{ kind: "refused", code, description },
        ...(seconds !== undefined && { retryAfterMs: seconds * 1_000 }),
      };
    },
  };
}

/** A request without an answer, on its way through grammY. */
class RequestFailed extends Error {
  readonly mayHaveArrived: boolean;

  constructor({ message, mayHaveArrived: may }: HttpFailure) {
    super(message);
    this.mayHaveArrived = may;
  }
}

const mayHaveArrived = (error: unknown) => !(error instanceof RequestFailed) || error.mayHaveArrived;

const unheard = (reason: string, may = true) => ({ kind: "unheard", reason, mayHaveArrived: may }) as const;

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
}

function partOf({ name, fileName, bytes }: Upload): FormPart {
  return {
    ...{ name, fileName, size: bytes.byteLength, contentType: contentTypeOf(fileName) },
    async open() {
      return Readable.from([bytes]);
    },
  };
}

/** Files that bots make; Telegram looks into pictures itself. */
const contentTypes: Readonly<Record<string, string>> = {
  csv: "text/csv",
  html: "text/html",
  json: "application/json",
  pdf: "application/pdf",
  txt: "text/plain",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xml: "application/xml",
  zip: "application/zip",
};

function contentTypeOf(fileName: string): string {
  const extension = fileName.slice(fileName.lastIndexOf(".") + 1).toLowerCase();
  return contentTypes[extension] ?? "application/octet-stream";
}

/**
 * Our own HTTP client instead of grammY's: it uses the proxy and the certificates of this installation, and logs no
 * token.
 */
function fetchThrough(http: HttpClient, signal: AbortSignal | undefined) {
  const ask = async (url: string, { body }: { body?: string }) => {
    const answer = await http.request({
      method: "POST",
      url,
      headers: { "content-type": "application/json" },
      body: body ?? "{}",
      ...(signal && { signal }),
    });
    if (answer.kind === "failure") throw new RequestFailed(answer);
    return { json: async (): Promise<unknown> => JSON.parse(Buffer.from(answer.body).toString()) };
  };
  // grammY's type is that of another package's fetch; grammY uses only the address, the body and `json()`.
  return ask as unknown as NonNullable<ApiClientOptions["fetch"]>;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
