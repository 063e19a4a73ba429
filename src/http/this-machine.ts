import type { FastifyRequest } from "fastify";
import { isLoopbackHost } from "../kernel/config/index.ts";

const loopback = /^(127\.|::1$|::ffff:127\.)/;
const forwarding = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

/**
 * Whether the request was made on this machine, to this machine. A proxy or a tunnel also comes from loopback, but says for
 * whom it asks, or by which name it was reached; so does a page whose site made its own name lead here.
 */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const direct = !forwarding.some((name) => name in request.headers);
  const named = (request.headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
  return direct && isLoopbackHost(named) && loopback.test(request.socket.remoteAddress ?? "");
}
