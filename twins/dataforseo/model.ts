export interface Account {
  login: string;
  /** The API password, which differs from that of the cabinet. */
  password: string;
  /** In dollars. */
  balance: number;
}

/** A page that Google finds for a phrase, at this place. */
export interface PlacedPage {
  readonly keyword: string;
  readonly url: string;
  readonly position: number;
}

export interface World {
  account: Account;
  pages: PlacedPage[];
  /** Numbers the tasks. */
  tasks: number;
}

export const freshWorld = (): World => ({
  account: { login: "demo@molva.example", password: "molva-demo-dataforseo", balance: 50 },
  pages: [],
  tasks: 0,
});
