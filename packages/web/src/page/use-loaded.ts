import { useEffect, useState } from "preact/hooks";

/** A part of the page that is loaded when it is first opened; `undefined` until it is there. */
export function useLoaded<T>(load: () => Promise<T>): T | undefined {
  const [loaded, setLoaded] = useState<T>();
  useEffect(() => {
    void load().then((value) => setLoaded(() => value));
  }, []);
  return loaded;
}
