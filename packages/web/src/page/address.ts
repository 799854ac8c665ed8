export type PageLocation = Pick<Location, "hash" | "replace">;

/** The state in the address bar. */
export interface Address {
  /** The conversation that it names. */
  readonly read: () => string | undefined;
  /** The conversations that it shows side by side; none if it shows one. */
  readonly readCompared: () => readonly string[];
  readonly showCompared: (ids: readonly string[]) => void;
  readonly show: (conversationId: string | undefined) => void;
  /**
   * The link that the server printed, `#/link/…`. Browsers send nothing after `#` to servers and
   * proxies. The page removes it, so that neither the history nor a screenshot keeps it.
   */
  readonly takeLink: () => string | undefined;
}

export const createAddress = (location: PageLocation): Address => ({
  read: () => /^#\/c\/([\w-]{1,64})$/.exec(location.hash)?.[1],
  readCompared: () =>
    /^#\/compare\/([\w.-]{1,260})$/.exec(location.hash)?.[1]?.split(".").slice(0, 4) ?? [],
  showCompared: (ids) => {
    location.hash = `#/compare/${ids.join(".")}`;
  },
  show: (id) => {
    location.hash = id === undefined ? "#/" : `#/c/${id}`;
  },
  takeLink: () => {
    const link = /^#\/link\/([\w-]{1,200})$/.exec(location.hash)?.[1];
    if (link !== undefined) location.replace("#/");
    return link;
  },
});
