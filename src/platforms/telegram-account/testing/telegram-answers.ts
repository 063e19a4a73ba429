import { FakeConnection } from "@fuman/net";
import {
  IntermediatePacketCodec,
  type RpcCallMiddleware,
  type TelegramTransport,
  type tl,
} from "@mtcute/core";
import { __tlReaderMap, __tlWriterMap, TlBinaryReader, TlBinaryWriter } from "@mtcute/core/utils.js";

export type Asked = tl.RpcMethod;
/** Telegram's answer to one call: an object, an error text such as `400 PEER_FLOOD`, or none. */
export type Said = object | boolean | readonly object[] | `${number} ${string}` | "silence";

/**
 * Replaces Telegram behind mtcute's network layer: calls are answered with TL objects, which pass mtcute's own writer
 * and reader.
 */
export interface TelegramAnswers {
  readonly network: { readonly transport: TelegramTransport; readonly answer: RpcCallMiddleware };
  /** Every call so far. */
  readonly asked: Asked[];
  on<M extends Asked["_"]>(method: M, say: (request: Extract<Asked, { _: M }>) => Said): void;
}

export function telegramAnswers({ reachable = true } = {}): TelegramAnswers {
  const asked: Asked[] = [];
  const answers = new Map<string, (request: never) => Said>();

  const answer: RpcCallMiddleware = async ({ request, params }) => {
    // Throws for a request that mtcute could not serialise.
    TlBinaryWriter.serializeObject(__tlWriterMap, { ...request });
    asked.push(request);
    const said = answers.get(request._)?.(request as never) ?? "400 METHOD_INVALID";
    if (said === "silence") return neverUnless(params?.timeout, params?.abortSignal);
    if (typeof said !== "string") return overTheWire(said);
    const [code, text] = said.split(" ");
    return { _: "mt_rpc_error", errorCode: Number(code), errorMessage: text };
  };

  return {
    network: {
      answer,
      transport: {
        connect: async () => {
          if (!reachable) throw new Error("no route to host");
          return new FakeConnection("telegram");
        },
        packetCodec: () => new IntermediatePacketCodec(),
      },
    },
    asked,
    on: (method, say) => void answers.set(method, say),
  };
}

function overTheWire(said: object | boolean | readonly object[]): unknown {
  if (typeof said === "boolean") return said;
  if (Array.isArray(said)) return said.map(overTheWire);
  const bytes = TlBinaryWriter.serializeObject(__tlWriterMap, said as { _: string });
  return TlBinaryReader.deserializeObject(__tlReaderMap, bytes);
}

async function neverUnless(timeoutMs = 1_000, signal?: AbortSignal): Promise<never> {
  const { MtTimeoutError } = await import("@mtcute/core");
  return new Promise((_, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => reject(new MtTimeoutError(timeoutMs)), timeoutMs);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
