import { useRef } from "preact/hooks";

/** The value as it was before something began to change it many times a second. */
export function useSettled<T>(value: T, isChanging: boolean): T {
  const settled = useRef(value);
  if (!isChanging) settled.current = value;
  return settled.current;
}
