/** The only file that uses grammY, which is loaded at the first call. */
import type { Api, ApiClientOptions } from "grammy";
import type { HttpClient } from "../../kernel/outbound/index.ts";

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
  /** The outcome is unknown. */
  | { readonly kind: "unheard"; readonly reason: string };

export interface TelegramApi {
  readonly settings: TelegramSettings;
  /** Never throws because of Telegram or the network. */
  call<Result>(ask: (api: Api) => Promise<Result>, signal?: AbortSignal): Promise<Answer<Result>>;
}

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
        if (error instanceof HttpError) return { kind: "unheard", reason: reasonOf(error.error) };
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
  };
}

/**
 * Our own HTTP client instead of grammY's: it uses the proxy and the certificates of this installation, and logs no
 * token.
 */
function fetchThrough(http: HttpClient, signal: AbortSignal | undefined) {
  const ask = async (url: string, { body }: { body?: string }): Promise<Response> => {
    const answer = await http.request({
      method: "POST",
      url,
      headers: { "content-type": "application/json" },
      body: body ?? "{}",
      ...(signal && { signal }),
    });
    if (answer.kind === "failure") throw new Error(answer.message);
    return new Response(Buffer.from(answer.body));
  };
  // grammY's type is that of another package's fetch; grammY uses only the address, the body and `json()`.
  return ask as unknown as NonNullable<ApiClientOptions["fetch"]>;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
