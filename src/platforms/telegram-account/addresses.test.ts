import { expect, test } from "vitest";
import { readChatLink } from "./links.ts";
import { readProxy, shownProxy } from "./proxy.ts";

test.each([
  ["https://t.me/arenda_msk", { kind: "username", username: "arenda_msk" }],
  ["t.me/arenda_msk/", { kind: "username", username: "arenda_msk" }],
  ["http://telegram.me/arenda_msk/123?single", { kind: "username", username: "arenda_msk" }],
  ["https://t.me/s/arenda_msk", { kind: "username", username: "arenda_msk" }],
  ["@arenda_msk", { kind: "username", username: "arenda_msk" }],
  ["https://t.me/+AbCdEf-12_34", { kind: "invite", hash: "AbCdEf-12_34" }],
  ["https://t.me/joinchat/AbCdEf-12_34", { kind: "invite", hash: "AbCdEf-12_34" }],
  ["https://t.me/", undefined],
  ["https://t.me/joinchat", undefined],
  ["https://t.me/c/123/4", undefined],
  ["https://t.me/addstickers/cats", undefined],
  ["https://example.org/arenda_msk", undefined],
  ["аренда", undefined],
] as const)("the link %s leads to %o", (text, link) => {
  expect(readChatLink(text)).toEqual(link);
});

const secret = "ee0123456789abcdef0123456789abcdef";

test.each([
  [
    "socks5://anna:p%40ss@proxy.example:1081",
    { kind: "socks5", host: "proxy.example", port: 1081, user: "anna", password: "p@ss" },
  ],
  ["socks5://10.0.0.1", { kind: "socks5", host: "10.0.0.1", port: 1080 }],
  ["socks5://10.0.0.1:80/", { kind: "socks5", host: "10.0.0.1", port: 80 }],
  [
    "socks5://anna:100%@proxy.example",
    { kind: "socks5", host: "proxy.example", port: 1080, user: "anna", password: "100%" },
  ],
  ["socks5://256.1.1.1:80", undefined],
  ["http://proxy.example:3128", { kind: "http", host: "proxy.example", port: 3128 }],
  [`mtproxy://${secret}@proxy.example:443`, { kind: "mtproxy", host: "proxy.example", port: 443, secret }],
  [
    `https://t.me/proxy?server=proxy.example&port=443&secret=${secret}`,
    { kind: "mtproxy", host: "proxy.example", port: 443, secret },
  ],
  [
    "tg://socks?server=proxy.example&port=1080&user=anna&pass=x",
    { kind: "socks5", host: "proxy.example", port: 1080, user: "anna", password: "x" },
  ],
  ["socks4://proxy.example", undefined],
  ["mtproxy://proxy.example:443", undefined],
  ["https://t.me/proxy?server=proxy.example&port=0", undefined],
  ["http://proxy.example/path", undefined],
  ["proxy.example:1080", undefined],
] as const)("the proxy %s is %o", (text, proxy) => {
  expect(readProxy(text)).toEqual(proxy);
});

test("a proxy is shown without its password", () => {
  const proxy = readProxy("socks5://anna:secret@proxy.example:1081");
  expect(proxy && shownProxy(proxy)).toBe("socks5://proxy.example:1081");
});
