import { useEffect, useState } from "preact/hooks";

/** A part of the page that is loaded when it is first opened; `undefined` until it is there. */
export function useLoaded<T>(load: () => Promise<T>): T | undefined {
  const [loaded, setLoaded] = useState<T>();
  useEffect(() => {
    const attempt = (): void =>
      void load().then(
        (value) => setLoaded(() => value),
        // It opens once there is a network again; that there is none, the page says anyway.
        () => addEventListener("online", attempt, { once: true }),
      );
    attempt();
  }, []);
  return loaded;
}
