import { codeOf } from "../errors/index.ts";

/** No connection was made, so nothing was sent. */
export class ConnectError extends Error {
  override readonly name = "ConnectError";
  readonly reason: "connect" | "tls" | "timeout" | "refused";

  constructor(reason: ConnectError["reason"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** OpenSSL's verification errors and Node's own TLS errors, by the prefixes of their codes. */
const tlsCode =
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|ERROR_IN_CERT)/;

export function connectErrorFrom(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  const code = codeOf(error) ?? "";
  return new ConnectError(reasonOf(code), describe(error, code), { cause: error });
}

function reasonOf(code: string): ConnectError["reason"] {
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "UND_ERR_HEADERS_TIMEOUT" || code === "ETIMEDOUT")
    return "timeout";
  return tlsCode.test(code) ? "tls" : "connect";
}

/** When several addresses fail, Node throws one AggregateError without a message. */
function describe(error: unknown, code: string): string {
  if (error instanceof AggregateError) return error.errors.map((each) => describe(each, code)).join("; ");
  return error instanceof Error && error.message ? error.message : code || String(error);
}
