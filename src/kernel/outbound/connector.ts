/** Opens connections directly or through a proxy, to any address or to checked ones only. */
import { type LookupFunction, Socket } from "node:net";
import { rootCertificates } from "node:tls";
import { buildConnector, Pool } from "undici";
import { ConnectError, connectErrorFrom } from "./connect-error.ts";

export interface ConnectionSettings {
  /** PEM certificates trusted besides the built-in ones. */
  readonly extraCa?: string;
  /** `http://user:password@host:port`. All traffic but loopback goes through it, by CONNECT. */
  readonly proxy?: string;
  readonly connectTimeoutMs?: number;
  /** Resolves a name to allowed addresses; without it the system or the proxy resolves. */
  readonly addressesOf?: (hostname: string, port: number) => Promise<readonly Address[]>;
}

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface Connector {
  readonly connect: buildConnector.connector;
  close(): Promise<void>;
}

const defaultConnectTimeoutMs = 10_000;

export function createConnector(settings: ConnectionSettings): Connector {
  const base = {
    timeout: settings.connectTimeoutMs ?? defaultConnectTimeoutMs,
    ...(settings.extraCa && { ca: [...rootCertificates, settings.extraCa] }),
  };
  const direct = buildConnector(base);
  const proxy = settings.proxy ? openProxy(new URL(settings.proxy), base) : undefined;

  async function open(target: buildConnector.Options): Promise<Socket> {
    const port = Number(target.port || (target.protocol === "https:" ? 443 : 80));
    const checked = await settings.addressesOf?.(target.hostname, port);
    if (proxy && !isLoopback(target.hostname)) {
      const tunnel = await proxy.tunnelTo(authority(checked?.[0]?.address ?? target.hostname, port));
      if (target.protocol !== "https:") return tunnel;
      return connected(direct, { ...target, httpSocket: tunnel });
    }
    // Connects to the addresses that were checked: a second lookup could give others.
    return connected(checked ? buildConnector({ ...base, lookup: answering(checked) }) : direct, target);
  }

  return {
    connect(target, callback) {
      open(target).then(
        (socket) => callback(null, survivingItsEnd(socket)),
        (error: unknown) => callback(connectErrorFrom(error), null),
      );
    },
    close: async () => proxy?.close(),
  };
}

interface Proxy {
  tunnelTo(authority: string): Promise<Socket>;
  close(): Promise<void>;
}

function openProxy(url: URL, connect: { timeout: number; ca?: string[] }): Proxy {
  const pool = new Pool(url.origin, { connect, headersTimeout: connect.timeout });
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const headers = url.username
    ? { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` }
    : {};
  return {
    async tunnelTo(path) {
      const { statusCode, socket } = await pool.connect({ path, headers: { ...headers, host: path } });
      if (statusCode === 200 && socket instanceof Socket) return socket;
      socket.on("error", () => {}).destroy();
      throw new ConnectError("connect", `the proxy answered ${statusCode} when asked for a tunnel`);
    },
    close: () => pool.destroy(),
  };
}

function connected(connector: buildConnector.connector, target: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => {
    connector(target, (error, socket) => (socket ? resolve(socket) : reject(error)));
  });
}

/**
 * undici 7 throws when a connection ends while the reader of an unfinished body has paused it, which would end the process.
 * Instead the connection fails, and the request with it. See also `noLatePause`.
 */
function survivingItsEnd(socket: Socket): Socket {
  const emit = socket.emit.bind(socket);
  socket.emit = (event: string | symbol, ...args: unknown[]): boolean => {
    try {
      return emit(event, ...args);
    } catch (error) {
      if (event !== "end") throw error;
      socket.destroy(new Error("the connection ended in the middle of the answer", { cause: error }));
      return true;
    }
  };
  return socket;
}

/** A lookup function with fixed results, in both forms that Node calls. */
export function answering(addresses: readonly Address[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family);
  };
}

function authority(host: string, port: number): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** A proxy on another machine cannot reach loopback addresses of this one. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" || hostname === "::1" || hostname === "[::1]" || hostname.startsWith("127.")
  );
}
