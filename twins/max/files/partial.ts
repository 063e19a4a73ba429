export interface PieceRange {
  readonly first: number;
  readonly last: number;
  readonly total: number;
}

/** How much has come, and whether the last piece fitted. */
export interface Progress {
  readonly received: number;
  readonly accepted: boolean;
}

/** Files that arrive in pieces. A restart forgets them: the client begins anew, as after any lost piece. */
export interface Partials {
  /** The whole file once the last piece is there, until then the progress. */
  add(key: string, range: PieceRange, bytes: Buffer): { bytes: Buffer } | Progress;
}

export function createPartials(): Partials {
  const known = new Map<string, Buffer[]>();
  return {
    add(key, { first, last, total }, bytes) {
      const pieces = known.get(key) ?? [];
      const received = sizeOf(pieces);
      // Pieces come in order; a client that lost count learns from the answer where to go on.
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
