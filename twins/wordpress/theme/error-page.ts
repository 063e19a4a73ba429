import { escapeHtml } from "../text/kses.ts";

const titles: Readonly<Record<number, string>> = {
  403: "403 Forbidden",
  404: "404 Not Found",
  406: "406 Not Acceptable",
  413: "413 Request Entity Too Large",
  502: "502 Bad Gateway",
  503: "503 Service Temporarily Unavailable",
};

/** The answer of a web server, a proxy or a firewall instead of WordPress. */
export function errorPage(status: number, words?: string): string {
  const title = escapeHtml(words ?? titles[status] ?? `${status} Error`);
  return `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
}
