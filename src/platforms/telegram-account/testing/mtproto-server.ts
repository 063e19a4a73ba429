import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import { gunzipSync } from "node:zlib";
import { ige256Decrypt, ige256Encrypt } from "@mtcute/wasm";

/** An MTProto 2.0 server for clients that have its key; it answers every call with one error. */
export interface MtprotoServer {
  readonly port: number;
  /** What clients sent, decrypted and unpacked. */
  readonly heard: Buffer[];
  close(): Promise<void>;
}

const ids = {
  container: 0x73f1f8dc,
  gzip: 0x3072cfa1,
  result: 0xf35c6d01,
  error: 0x2144ca19,
  invoke: 0xda9b0d0d,
};

export async function mtprotoServer(
  key: Uint8Array,
  refusal: { code: number; text: string },
): Promise<MtprotoServer> {
  const heard: Buffer[] = [];
  const server = createServer((socket) => serve(socket, { key: Buffer.from(key), refusal, heard }));
  await listening(server);
  return { port: portOf(server), heard, close: () => closed(server) };
}

interface Serving {
  readonly key: Buffer;
  readonly refusal: { code: number; text: string };
  readonly heard: Buffer[];
}

/** The intermediate transport: a tag, then packets prefixed with their length. */
function serve(socket: Socket, serving: Serving): void {
  let waiting = Buffer.alloc(0);
  let tagged = false;
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    if (!tagged && waiting.length >= 4) {
      tagged = true;
      if (waiting.readUInt32LE() !== 0xeeeeeeee) socket.destroy();
      waiting = waiting.subarray(4);
    }
    while (tagged && waiting.length >= 4 && waiting.length >= 4 + waiting.readUInt32LE()) {
      const length = waiting.readUInt32LE();
      answer(socket, waiting.subarray(4, 4 + length), serving);
      waiting = waiting.subarray(4 + length);
    }
  });
}

function answer(socket: Socket, packet: Buffer, { key, refusal, heard }: Serving): void {
  const messageKey = packet.subarray(8, 24);
  const [aesKey, iv] = keysFor(key, messageKey, 0);
  const plain = Buffer.from(ige256Decrypt(packet.subarray(24), aesKey, iv));
  const salted = plain.subarray(0, 16);
  for (const { id, body } of messagesIn(plain)) {
    const said = unpacked(body);
    heard.push(said);
    // Only calls are answered; acknowledgements and pings are not.
    if (said.readUInt32LE() !== ids.invoke) continue;
    const text = tlString(refusal.text);
    const result = Buffer.alloc(20);
    result.writeUInt32LE(ids.result, 0);
    id.copy(result, 4);
    result.writeUInt32LE(ids.error, 12);
    result.writeInt32LE(refusal.code, 16);
    socket.write(sealed(key, salted, Buffer.concat([result, text])));
  }
}

function messagesIn(plain: Buffer): { id: Buffer; body: Buffer }[] {
  const length = plain.readInt32LE(28);
  const body = plain.subarray(32, 32 + length);
  if (body.readUInt32LE() !== ids.container) return [{ id: plain.subarray(16, 24), body }];
  const found: { id: Buffer; body: Buffer }[] = [];
  let at = 8;
  for (let left = body.readInt32LE(4); left > 0; left -= 1) {
    const size = body.readInt32LE(at + 12);
    found.push({ id: body.subarray(at, at + 8), body: body.subarray(at + 16, at + 16 + size) });
    at += 16 + size;
  }
  return found;
}

function unpacked(body: Buffer): Buffer {
  if (body.readUInt32LE() !== ids.gzip) return body;
  const long = body[4] === 254;
  const length = long ? body.readUIntLE(5, 3) : (body[4] ?? 0);
  const from = long ? 8 : 5;
  return gunzipSync(body.subarray(from, from + length));
}

function sealed(key: Buffer, salted: Buffer, body: Buffer): Buffer {
  const head = Buffer.alloc(16);
  // Ids of a server's answers are 1 modulo 4.
  head.writeBigInt64LE(((BigInt(Date.now()) << 32n) / 1000n / 4n) * 4n + 1n, 0);
  head.writeInt32LE(1, 8);
  head.writeInt32LE(body.length, 12);
  const inner = Buffer.concat([salted, head, body]);
  const padding = randomBytes(12 + ((16 - ((inner.length + 12) % 16)) % 16));
  const plain = Buffer.concat([inner, padding]);
  const messageKey = sha256(key.subarray(96, 128), plain).subarray(8, 24);
  const [aesKey, iv] = keysFor(key, messageKey, 8);
  const keyId = createHash("sha1").update(key).digest().subarray(12, 20);
  const packet = Buffer.concat([keyId, messageKey, ige256Encrypt(plain, aesKey, iv)]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(packet.length);
  return Buffer.concat([length, packet]);
}

/** MTProto 2.0: `x` is 0 from the client, 8 from the server. */
function keysFor(key: Buffer, messageKey: Uint8Array, x: number): [Buffer, Buffer] {
  const a = sha256(messageKey, key.subarray(x, x + 36));
  const b = sha256(key.subarray(40 + x, 76 + x), messageKey);
  const aesKey = Buffer.concat([a.subarray(0, 8), b.subarray(8, 24), a.subarray(24, 32)]);
  const iv = Buffer.concat([b.subarray(0, 8), a.subarray(8, 24), b.subarray(24, 32)]);
  return [aesKey, iv];
}

function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function tlString(text: string): Buffer {
  const bytes = Buffer.from(text);
  const padding = (4 - ((1 + bytes.length) % 4)) % 4;
  return Buffer.concat([Buffer.from([bytes.length]), bytes, Buffer.alloc(padding)]);
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the server does not listen");
  return address.port;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
