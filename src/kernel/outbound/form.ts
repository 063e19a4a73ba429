/** Encodes fields and files as multipart/form-data. Files are read while they are sent, never held in memory. */
import { randomUUID } from "node:crypto";
import type { FormPart } from "./contract.ts";

export interface LaidOutForm {
  readonly contentType: string;
  /** Providers require Content-Length. */
  readonly length: number;
  chunks(): AsyncIterable<Uint8Array>;
}

export function layOutForm(parts: readonly FormPart[]): LaidOutForm {
  const boundary = `molva-${randomUUID()}`;
  const heads = parts.map((part) => Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`));
  const end = Buffer.from(`--${boundary}--\r\n`);
  const length = parts.reduce(
    (sum, part, place) => sum + (heads[place]?.length ?? 0) + sizeOf(part) + lineEnd.length,
    end.length,
  );
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length,
    async *chunks() {
      for (const [place, part] of parts.entries()) {
        yield heads[place] ?? lineEnd;
        if ("value" in part) yield Buffer.from(part.value);
        else yield* exactly(part.size, await part.open());
        yield lineEnd;
      }
      yield end;
    },
  };
}

const lineEnd = Buffer.from("\r\n");

function headOf(part: FormPart): string {
  const disposition = `content-disposition: form-data; name="${quoted(part.name)}"`;
  if ("value" in part) return disposition;
  return `${disposition}; filename="${quoted(part.fileName)}"\r\ncontent-type: ${part.contentType.replace(/[\r\n]/g, "")}`;
}

/** Escapes names as browsers do. */
function quoted(name: string): string {
  return name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}

function sizeOf(part: FormPart): number {
  return "value" in part ? Buffer.byteLength(part.value) : part.size;
}

/** A file that changed since its length was announced fails the request: its bytes would run into the next field. */
async function* exactly(size: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of chunks) {
    seen += chunk.length;
    if (seen > size) break;
    yield chunk;
  }
  if (seen !== size) throw new Error(`a file of the form has not the ${size} bytes it was said to have`);
}
