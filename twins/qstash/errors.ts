/** A refusal in QStash's words. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const refuse = {
  invalid: (message: string) => new ApiError(400, message),
  token: () => new ApiError(401, "unable to authenticate: invalid token"),
  missing: (what: string) => new ApiError(404, `${what} not found`),
  quota: (most: number) => new ApiError(412, `exceeded schedule quota: the plan has ${most} schedules`),
  size: () => new ApiError(413, "message size exceeds the limit of the plan"),
};
