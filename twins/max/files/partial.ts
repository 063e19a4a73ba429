export interface PieceRange {
  readonly first: number;
  readonly last: number;
  readonly total: number;
}

/** How much has arrived, and whether the last chunk was accepted. */
export interface Progress {
  readonly received: number;
  readonly accepted: boolean;
}

/** Files that arrive in chunks. A restart drops them: the client starts again, as after any lost chunk. */
export interface Partials {
  /** The whole file after the last chunk, until then the progress. */
  add(key: string, range: PieceRange, bytes: Buffer): { bytes: Buffer } | Progress;
}

export function createPartials(): Partials {
  const known = new Map<string, Buffer[]>();
  return {
    add(key, { first, last, total }, bytes) {
      const pieces = known.get(key) ?? [];
      const received = sizeOf(pieces);
      // Chunks come in order; the answer tells a client that lost count where to continue.
      if (first !== received || bytes.length !== last - first + 1) return { received, accepted: false };
      pieces.push(bytes);
      known.set(key, pieces);
      if (received + bytes.length < total) return { received: received + bytes.length, accepted: true };
      known.delete(key);
      return { bytes: Buffer.concat(pieces) };
    },
  };
}

export function readRange(header: string | undefined): PieceRange | "malformed" | undefined {
  if (header === undefined) return undefined;
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header)?.map(Number) ?? [];
  if (first === undefined || last === undefined || total === undefined) return "malformed";
  return first <= last && last < total ? { first, last, total } : "malformed";
}

const sizeOf = (pieces: readonly Buffer[]) => pieces.reduce((sum, piece) => sum + piece.length, 0);
