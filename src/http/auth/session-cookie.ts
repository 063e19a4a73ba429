import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyReply } from "fastify";
import type { Clock } from "../../kernel/clock/index.ts";

export const sessionCookie = "molva_session";

export function setSessionCookie(
  reply: FastifyReply,
  { token, expiresAt }: { token: string; expiresAt: Date },
  { publicUrl, clock }: { publicUrl: string; clock: Clock },
): void {
  const maxAge = Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1000);
  reply.setCookie(sessionCookie, token, { ...attributes(publicUrl), maxAge });
}

export function clearSessionCookie(reply: FastifyReply, publicUrl: string): void {
  reply.clearCookie(sessionCookie, attributes(publicUrl));
}

function attributes(publicUrl: string): CookieSerializeOptions {
  return { httpOnly: true, sameSite: "lax", path: "/", secure: publicUrl.startsWith("https:") };
}
