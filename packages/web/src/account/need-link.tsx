import type { JSX } from "preact";

/** A server for one person lets in the reader of its terminal. */
export const NeedLink = ({ trouble }: { readonly trouble: string | undefined }): JSX.Element => (
  <main class="sign-in">
    <h1>mull</h1>
    <p>One thinking dial for every model.</p>
    {trouble === undefined ? (
      <p role="status">
        Open the link that mull printed in its terminal. It works once. Restart mull to get another
        one.
      </p>
    ) : (
      <p class="trouble" role="alert">
        {trouble}
      </p>
    )}
  </main>
);
