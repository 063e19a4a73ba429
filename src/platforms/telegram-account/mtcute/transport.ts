import { type ConnectFunction, type TcpEndpoint, withHttpProxy, withSocksProxy } from "@fuman/net";
import { connectTcp, type TcpConnection } from "@fuman/node";
import { BaseMtProxyTransport, IntermediatePacketCodec, type TelegramTransport } from "@mtcute/core";
import type { ProxyAddress } from "../proxy.ts";

/** How packets get to Telegram: over TCP, directly or through the account's proxy. */
export function transportThrough(proxy: ProxyAddress | undefined): TelegramTransport {
  if (proxy?.kind === "mtproxy") return new MtProxyTransport(proxy);
  const connect = proxy ? proxied(proxy) : connectTcp;
  return {
    connect: ({ ipAddress, port }) => connect({ address: ipAddress, port }),
    packetCodec: () => new IntermediatePacketCodec(),
  };
}

function proxied(
  proxy: Exclude<ProxyAddress, { kind: "mtproxy" }>,
): ConnectFunction<TcpEndpoint, TcpConnection> {
  const { host, port, user, password } = proxy;
  const settings = { host, port, ...(user !== undefined && { user, password: password ?? "" }) };
  return proxy.kind === "http"
    ? withHttpProxy<TcpConnection, typeof connectTcp>(connectTcp, settings)
    : withSocksProxy<TcpConnection, typeof connectTcp>(connectTcp, { ...settings, version: 5 });
}

class MtProxyTransport extends BaseMtProxyTransport {
  override _connectTcp(endpoint: TcpEndpoint): Promise<TcpConnection> {
    return connectTcp(endpoint);
  }
}
