/** Client of the advisor's HTTP API. */
import { setTimeout as pause } from "node:timers/promises";
import type { z } from "zod";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import { type Answered, errorOf, failed } from "./backend-error.ts";
import {
  type Advice,
  activeShape,
  adviceShape,
  anything,
  type History,
  historyShape,
  type Me,
  mediaShape,
  meShape,
  type Paid,
  type Profile,
  paidShape,
} from "./response-schemas.ts";

export interface BackendSettings {
  readonly http: HttpClient;
  /** Without a trailing slash; a function, because it may be known only once the server listens. */
  readonly url: () => string;
  readonly token: string;
  /** Pauses between retries if the service is unreachable. */
  readonly pausesMs?: readonly number[];
  /** How long to wait for an answer that is being prepared. */
  readonly patienceMs?: number;
}

export interface Asker {
  readonly telegramUserId: number;
  readonly telegramChatId: number;
  readonly locale: string;
}

export interface Question {
  readonly requestId: string;
  readonly text: string;
  readonly scenario: string | null;
  readonly research: boolean;
  readonly profile: Profile | null;
  readonly media: { readonly type: MediaType; readonly id: string; readonly mime: string } | null;
  /** Empty when unknown. */
  readonly messageId: string;
  readonly replyTo: string;
}

export type MediaType = "photo" | "audio";

export interface File {
  readonly type: MediaType;
  readonly mime: string;
  readonly bytes: Uint8Array;
}

/** Errors of the service or the network are returned; an abort by `signal` throws. */
export interface Backend {
  ask(asker: Asker, question: Question, signal?: AbortSignal): Promise<Answered<Advice>>;
  me(asker: Asker, signal?: AbortSignal): Promise<Answered<Me>>;
  accept(asker: Asker, signal?: AbortSignal): Promise<Answered<unknown>>;
  history(asker: Asker, limit: number, signal?: AbortSignal): Promise<Answered<History>>;
  kept(asker: Asker, signal?: AbortSignal): Promise<Answered<{ id: string; profile: Profile } | null>>;
  keep(asker: Asker, requestId: string, changes: Profile, signal?: AbortSignal): Promise<Answered<unknown>>;
  /** Returns the id for the question. */
  upload(asker: Asker, file: File, signal?: AbortSignal): Promise<Answered<string>>;
  /** Until when Pro is paid for; null when it is not any more. */
  paidUntil(telegramUserId: number, until: string | null, signal?: AbortSignal): Promise<Answered<Paid>>;
  forget(asker: Asker, petId: string | null, signal?: AbortSignal): Promise<Answered<unknown>>;
}

interface Call<Shape extends z.ZodType> {
  readonly method?: "GET" | "POST" | "PUT";
  /** A path, or the whole URL for an upload. */
  readonly to: string;
  readonly body?: unknown;
  readonly file?: File;
  readonly answer: Shape;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** The service gives up after 105 s. */
const usual = { patienceMs: 150_000, pausesMs: [1_000, 3_000], askMs: 120_000, otherMs: 20_000 } as const;
const longestPauseMs = 5_000;

export function createBackend(settings: BackendSettings): Backend {
  const { http, url, token, pausesMs = usual.pausesMs, patienceMs = usual.patienceMs } = settings;

  async function once<Shape extends z.ZodType>(call: Call<Shape>): Promise<Answered<z.output<Shape>>> {
    const { to, method = "POST", body, file, answer, timeoutMs = usual.otherMs, signal } = call;
    const isOurs = to.startsWith("/");
    const result = await http.request({
      method,
      url: isOurs ? `${url()}${to}` : to,
      timeoutMs,
      headers: {
        // An upload URL needs no token and may be on another server.
        ...(isOurs && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(file && { "content-type": file.mime }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(file && { body: file.bytes }),
      ...(signal && { signal }),
    });
    signal?.throwIfAborted();
    if (result.kind === "failure") return failed("unreachable");
    const said = jsonOf(result.body);
    if (result.status >= 400)
      return { ok: false, error: errorOf(result.status, said, result.headers["retry-after"]) };
    const read = answer.safeParse(said);
    return read.success ? { ok: true, value: read.data } : failed("broken");
  }

  /** Calls are idempotent, so they can be retried. */
  async function call<Shape extends z.ZodType>(given: Call<Shape>): Promise<Answered<z.output<Shape>>> {
    let answered = await once(given);
    for (const ms of pausesMs) {
      if (answered.ok || answered.error.kind !== "unreachable") break;
      await pause(ms, undefined, { ...(given.signal && { signal: given.signal }) });
      answered = await once(given);
    }
    return answered;
  }

  return {
    async ask(asker, question, signal) {
      const until = performance.now() + patienceMs;
      for (;;) {
        const answered = await call({
          to: "/v1/chat/ask",
          body: bodyOf(asker, question),
          answer: adviceShape,
          timeoutMs: usual.askMs,
          signal,
        });
        // The bot was restarted during this question; its answer is being prepared.
        if (answered.ok || answered.error.kind !== "busy" || performance.now() > until) return answered;
        const ms = Math.min((answered.error.waitSeconds ?? 1) * 1_000, longestPauseMs);
        await pause(ms, undefined, { ...(signal && { signal }) });
      }
    },
    me: ({ telegramUserId }, signal) =>
      call({ method: "GET", to: `/v1/me?telegram_user_id=${telegramUserId}`, answer: meShape, signal }),
    accept: (asker, signal) =>
      call({
        to: "/v1/consents",
        body: { user: userOf(asker), terms_accepted: true, data_policy_accepted: true },
        answer: anything,
        signal,
      }),
    async history({ telegramUserId }, limit, signal) {
      const to = `/v1/history?telegram_user_id=${telegramUserId}&limit=${limit}`;
      const answered = await call({ method: "GET", to, answer: historyShape, signal });
      return answered.ok ? { ok: true, value: answered.value.items } : answered;
    },
    async kept({ telegramUserId }, signal) {
      const to = `/v1/pets/active?telegram_user_id=${telegramUserId}`;
      const answered = await call({ method: "GET", to, answer: activeShape, signal });
      if (answered.ok) return { ok: true, value: answered.value.pet };
      return answered.error.kind === "nothing_kept" ? { ok: true, value: null } : answered;
    },
    keep: (asker, requestId, changes, signal) =>
      call({
        to: "/v1/pets/active/save",
        body: { request_id: requestId, user: userOf(asker), pet_profile: changes },
        answer: anything,
        signal,
      }),
    async upload(asker, file, signal) {
      const announced = await call({
        to: "/v1/media/init",
        body: { user: userOf(asker), type: file.type, mime: file.mime, size_bytes: file.bytes.byteLength },
        answer: mediaShape,
        signal,
      });
      if (!announced.ok) return announced;
      const { upload_url: to, media_id: id } = announced.value;
      const sent = await call({ method: "PUT", to, file, answer: anything, signal });
      // A retry after a lost response finds the file there.
      return sent.ok || sent.error.kind === "stale" ? { ok: true, value: id } : sent;
    },
    paidUntil: (telegramUserId, until, signal) =>
      call({
        to: "/v1/plan",
        body: { user: { telegram_user_id: telegramUserId }, paid_until: until },
        answer: paidShape,
        signal,
      }),
    forget: (asker, petId, signal) =>
      call({
        to: "/v1/data/delete",
        body: { user: userOf(asker), scope: petId === null ? "all" : "pet", pet_id: petId },
        answer: anything,
        signal,
      }),
  };
}

function bodyOf(asker: Asker, question: Question) {
  const { requestId, text, scenario, research, profile, media, messageId, replyTo } = question;
  return {
    request_id: requestId,
    user: userOf(asker),
    context: { ...(scenario !== null && { scenario }), mode: research ? "research" : "normal" },
    message: {
      text,
      ...(messageId !== "" && { client_message_id: `tg:${asker.telegramChatId}:${messageId}` }),
      ...(replyTo !== "" && { reply_to_message_id: Number(replyTo) }),
    },
    ...(profile && { pet_profile: profile }),
    ...(media && { attachments: [{ type: media.type, media_id: media.id, mime: media.mime }] }),
  };
}

function userOf({ telegramUserId, telegramChatId, locale }: Asker) {
  return { telegram_user_id: telegramUserId, telegram_chat_id: telegramChatId, locale };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
