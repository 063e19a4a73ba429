/** The address of a connected site: connections know it by its host. */
export const siteUrlOf = (identifier: string): string =>
  /^https?:\/\//.test(identifier) ? identifier : `https://${identifier}`;
