/** S3's refusals and their format. */
export class S3Refusal extends Error {
  override readonly name = "S3Refusal";
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string = refusals[code].message) {
    super(message);
    this.code = code;
  }

  get status(): number {
    return refusals[this.code].status;
  }
}

export type RefusalCode = keyof typeof refusals;

const refusals = {
  AccessDenied: { status: 403, message: "Access Denied" },
  AuthorizationHeaderMalformed: { status: 400, message: "The authorization header is malformed." },
  AuthorizationQueryParametersError: {
    status: 400,
    message:
      "Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.",
  },
  EntityTooLarge: { status: 400, message: "Your proposed upload exceeds the maximum allowed size" },
  InvalidAccessKeyId: {
    status: 403,
    message: "The AWS Access Key Id you provided does not exist in our records.",
  },
  InvalidArgument: { status: 400, message: "Invalid Argument" },
  InvalidRange: { status: 416, message: "The requested range is not satisfiable" },
  InvalidRequest: { status: 400, message: "Invalid Request" },
  KeyTooLongError: { status: 400, message: "Your key is too long" },
  MethodNotAllowed: { status: 405, message: "The specified method is not allowed against this resource." },
  MissingContentLength: { status: 411, message: "You must provide the Content-Length HTTP header." },
  NoSuchBucket: { status: 404, message: "The specified bucket does not exist" },
  NoSuchKey: { status: 404, message: "The specified key does not exist." },
  NotImplemented: {
    status: 501,
    message: "A header you provided implies functionality that is not implemented.",
  },
  RequestTimeTooSkewed: {
    status: 403,
    message: "The difference between the request time and the current time is too large.",
  },
  SignatureDoesNotMatch: {
    status: 403,
    message:
      "The request signature we calculated does not match the signature you provided. Check your key and signing method.",
  },
  SlowDown: { status: 503, message: "Please reduce your request rate." },
  XAmzContentSHA256Mismatch: {
    status: 400,
    message: "The provided 'x-amz-content-sha256' header does not match what was computed.",
  },
} as const satisfies Record<string, { status: number; message: string }>;
