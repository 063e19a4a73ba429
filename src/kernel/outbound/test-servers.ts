/** Servers that behave or misbehave on purpose, for the tests of this folder; each is closed after its test. */
import { type ChildProcess, spawn } from "node:child_process";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { connect, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { HttpAnswer, HttpFailure, HttpResult } from "./contract.ts";

export interface TestServer {
  readonly port: number;
  readonly url: string;
}

export function httpServer(listener: RequestListener): Promise<TestServer> {
  return listening(createHttpServer(listener), "http");
}

/** Passes on every raw connection. */
export function tcpServer(onConnection: (socket: Socket) => void): Promise<TestServer> {
  return listening(createTcpServer(onConnection), "http");
}

export async function listening(server: Server, scheme: "http" | "https"): Promise<TestServer> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: portOf(server), url: `${scheme}://127.0.0.1:${portOf(server)}` };
}

function portOf(server: Server): number {
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("the server does not listen on a port");
  return address.port;
}

/** A port that nobody listens on. */
export async function closedPort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const blockedListener = `
  const server = require("node:net").createServer();
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    require("node:fs").writeSync(1, String(server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

/** A server whose backlog is full and never emptied: further connections hang in the handshake. */
export async function neverAcceptingServer(): Promise<TestServer> {
  const child = spawn(process.execPath, ["-e", blockedListener], { stdio: ["ignore", "pipe", "inherit"] });
  const port = Number(await firstOutput(child));
  const fillers = Array.from({ length: 4 }, () => connect(port, "127.0.0.1").on("error", () => {}));
  await Promise.all(
    fillers.slice(0, 2).map((socket) => new Promise((resolve) => socket.once("connect", resolve))),
  );
  onTestFinished(() => {
    for (const socket of fillers) socket.destroy();
    child.kill("SIGKILL");
  });
  return { port, url: `http://127.0.0.1:${port}` };
}

function firstOutput(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once("data", (data) => resolve(String(data)));
    child.once("error", reject);
    child.once("exit", () => reject(new Error("the helper process ended before it listened")));
  });
}

export function answerOf(result: HttpResult): HttpAnswer & { readonly text: string } {
  if (result.kind !== "answer")
    throw new Error(`expected an answer, got ${result.reason}: ${result.message}`);
  return { ...result, text: Buffer.from(result.body).toString("utf8") };
}

export function failureOf(result: HttpResult): Pick<HttpFailure, "reason" | "mayHaveArrived"> {
  if (result.kind !== "failure") throw new Error(`expected a failure, got status ${result.status}`);
  return { reason: result.reason, mayHaveArrived: result.mayHaveArrived };
}
