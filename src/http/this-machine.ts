import type { FastifyRequest } from "fastify";
import { isLoopbackHost } from "../kernel/config/index.ts";

const loopback = /^(127\.|::1$|::ffff:127\.)/;
const forwarding = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

/**
 * Whether the request was made from this machine to a loopback name. Requests of a proxy, a tunnel or DNS rebinding also come
 * from loopback, but they have forwarding headers or another host name.
 */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const direct = !forwarding.some((name) => name in request.headers);
  const named = (request.headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
  return direct && isLoopbackHost(named) && loopback.test(request.socket.remoteAddress ?? "");
}
