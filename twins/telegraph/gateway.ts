import type { Answer } from "../shared/index.ts";

const titles: Readonly<Record<number, string>> = {
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  405: "Not Allowed",
  413: "Request Entity Too Large",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Temporarily Unavailable",
  504: "Gateway Time-out",
};

/** Errors of the proxy in front of Telegraph: HTML, never the envelope. */
export function gatewayError(status: number): Answer {
  const title = `${status} ${titles[status] ?? "Error"}`;
  const body = `<html>\r
<head><title>${title}</title></head>\r
<body>\r
<center><h1>${title}</h1></center>\r
<hr><center>nginx</center>\r
</body>\r
</html>\r
`;
  return { status, body, headers: { "content-type": "text/html" } };
}
