import { z } from "zod";
import type { HttpClient } from "../../../kernel/outbound/index.ts";
import { jsonOf } from "../../classify.ts";
import type { SendError } from "../../contract.ts";
import { networkError, type RpcRefusal } from "../rpc-errors.ts";

/** The result of a call to the twin. */
export type RpcResult =
  | { readonly kind: "done"; readonly body: unknown }
  | { readonly kind: "refused"; readonly refusal: RpcRefusal }
  | { readonly kind: "unanswered"; readonly error: SendError; readonly mayHaveArrived: boolean };

export interface RpcDeps {
  readonly http: HttpClient;
  /** Of the twin, such as `http://127.0.0.1:8090/telegram-account`. */
  readonly root: string;
}

export interface RpcCall {
  readonly method: string;
  readonly params: unknown;
  /** The authorisation key and the connection's name; absent while a key is being created. */
  readonly session?: { readonly key: string; readonly client: string };
  readonly signal?: AbortSignal | undefined;
}

const refusalShape = z.object({
  error: z.object({ code: z.number(), text: z.string(), seconds: z.number().optional() }),
});

export async function callTwin({ http, root }: RpcDeps, call: RpcCall): Promise<RpcResult> {
  const { method, params, session, signal } = call;
  const result = await http.request({
    method: "POST",
    url: `${root}/${method}`,
    headers: {
      "content-type": "application/json",
      ...(session && { authorization: `Bearer ${session.key}`, "x-client": session.client }),
    },
    body: JSON.stringify(params),
    ...(signal && { signal }),
  });
  if (result.kind === "failure") {
    return {
      kind: "unanswered",
      error: networkError(result.message),
      mayHaveArrived: result.mayHaveArrived,
    };
  }
  const body = jsonOf(result);
  if (result.status === 200 && body !== undefined) return { kind: "done", body };
  const refused = refusalShape.safeParse(body);
  if (refused.success) {
    const { code, text, seconds } = refused.data.error;
    return { kind: "refused", refusal: { code, text, ...(seconds !== undefined && { seconds }) } };
  }
  return {
    kind: "unanswered",
    error: networkError(`status ${result.status} came with an answer that cannot be read`),
    mayHaveArrived: true,
  };
}
