import type { IncomingHttpHeaders } from "node:http";
import type { TwinOptions } from "../shared/index.ts";
import { checkAddress } from "./destination.ts";
import { refuse } from "./errors.ts";
import { limits } from "./limits.ts";
import type { Order } from "./model.ts";
import { durationMs } from "./pauses.ts";
import { delayOf } from "./retry-delay.ts";

export interface Asked {
  readonly destination: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  readonly ip: string;
}

const methods = ["GET", "POST", "PUT", "DELETE", "PATCH"];
const forwarded = "upstash-forward-";

/** Reads what a publish or a schedule asks for; throws what QStash would refuse. */
export function orderOf({ destination, headers, body, ip }: Asked, options: TwinOptions): Order {
  const given = (name: string) => {
    const value = headers[`upstash-${name}`];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  checkAddress(destination, options);
  if (body.byteLength > limits.bodyBytes) throw refuse.size();
  const method = (given("method") ?? "POST").toUpperCase();
  if (!methods.includes(method)) throw refuse.invalid(`invalid method: ${method}`);
  const callback = given("callback") ?? null;
  const failureCallback = given("failure-callback") ?? null;
  for (const address of [callback, failureCallback]) if (address !== null) checkAddress(address, options);
  const retryDelay = given("retry-delay") ?? null;
  if (retryDelay !== null && delayOf(retryDelay, 0) === undefined)
    throw refuse.invalid(`invalid retry delay expression: ${retryDelay}`);
  return {
    ...{ destination, method, callback, failureCallback, retryDelay, callerIp: ip },
    body: Buffer.from(body).toString("base64"),
    headers: receiverHeaders(headers),
    retries: retriesOf(given("retries")),
    timeoutMs: Math.min(limits.timeoutMs, duration("timeout", given("timeout")) ?? limits.timeoutMs),
    delayMs: delayFor(duration("delay", given("delay"))),
    label: given("label") ?? null,
  };
}

/** Unix seconds of `Upstash-Not-Before`, which wins over a delay. */
export function notBeforeMs(headers: IncomingHttpHeaders): number | undefined {
  const value = headers["upstash-not-before"];
  if (value === undefined) return undefined;
  if (typeof value !== "string" || !/^\d{1,11}$/.test(value)) throw refuse.invalid("invalid not-before");
  return Number(value) * 1_000;
}

function receiverHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const found: Record<string, string> = {};
  if (headers["content-type"] !== undefined) found["content-type"] = headers["content-type"];
  for (const [name, value] of Object.entries(headers))
    if (name.startsWith(forwarded) && typeof value === "string") found[name.slice(forwarded.length)] = value;
  return found;
}

function retriesOf(text: string | undefined): number {
  if (text === undefined) return limits.retries.usual;
  if (!/^\d{1,4}$/.test(text)) throw refuse.invalid(`invalid retries: ${text}`);
  if (Number(text) > limits.retries.most)
    throw refuse.invalid(`retries exceed the plan's maximum of ${limits.retries.most}`);
  return Number(text);
}

function duration(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const found = durationMs(text);
  if (found === undefined) throw refuse.invalid(`invalid ${name}: ${text}`);
  return found;
}

function delayFor(delayMs = 0): number {
  if (delayMs > limits.delayMs) throw refuse.invalid("delay exceeds the plan's maximum");
  return delayMs;
}
