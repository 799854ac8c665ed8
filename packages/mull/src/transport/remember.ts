/**
 * A pure function that works once for each of the last few arguments. Programs ask the same services
 * with the same keys over and over. `undefined` is not remembered.
 */
export function remember<Value>(
  make: (argument: string) => Value,
  most = 100,
): (argument: string) => Value {
  const known = new Map<string, Value>();
  return (argument) => {
    const before = known.get(argument);
    if (before !== undefined) return before;
    const value = make(argument);
    if (known.size >= most) known.delete(known.keys().next().value!);
    known.set(argument, value);
    return value;
  };
}
