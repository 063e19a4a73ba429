import { type ConnectFunction, type TcpEndpoint, withHttpProxy, withSocksProxy } from "@fuman/net";
import { TcpConnection } from "@fuman/node";
import { BaseMtProxyTransport, IntermediatePacketCodec, type TelegramTransport } from "@mtcute/core";
import { type GuardedSockets, limitReceived } from "../../../kernel/outbound/index.ts";
import type { ProxyAddress } from "../proxy.ts";

/**
 * The most bytes that one connection may receive. A frame states its own length, so a proxy could make us allocate
 * gigabytes; an account that only writes receives far less than this, and mtcute reconnects.
 */
const maxReceivedBytes = 64 * 1024 * 1024;

type Connect = ConnectFunction<TcpEndpoint, TcpConnection>;

/**
 * Connects to Telegram over TCP, directly or through the account's proxy. The owner entered the proxy's address, so it
 * must be a public one.
 */
export function transportThrough(
  proxy: ProxyAddress | undefined,
  sockets: GuardedSockets,
  maxBytes = maxReceivedBytes,
): TelegramTransport {
  const connect: Connect = async ({ address, port }) => {
    const socket = await sockets.open(address, port);
    limitReceived(socket, { maxBytes }).addEventListener("abort", () => socket.destroy());
    return new TcpConnection(socket);
  };
  if (proxy?.kind === "mtproxy") return new MtProxyTransport(proxy, connect);
  const reach = proxy ? through(proxy, connect) : connect;
  return {
    connect: ({ ipAddress, port }) => reach({ address: ipAddress, port }),
    packetCodec: () => new IntermediatePacketCodec(),
  };
}

function through(proxy: Exclude<ProxyAddress, { kind: "mtproxy" }>, connect: Connect): Connect {
  const { host, port, user, password } = proxy;
  const settings = { host, port, ...(user !== undefined && { user, password: password ?? "" }) };
  return proxy.kind === "http"
    ? withHttpProxy<TcpConnection, Connect>(connect, settings)
    : withSocksProxy<TcpConnection, Connect>(connect, { ...settings, version: 5 });
}

class MtProxyTransport extends BaseMtProxyTransport {
  private readonly reach: Connect;

  constructor(proxy: Extract<ProxyAddress, { kind: "mtproxy" }>, reach: Connect) {
    super(proxy);
    this.reach = reach;
  }
  override _connectTcp(endpoint: TcpEndpoint): Promise<TcpConnection> {
    return this.reach(endpoint);
  }
}
