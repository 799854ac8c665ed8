/**
 * Works out `+ - * / % ^ ( )` with the usual precedence, and nothing else: what a model writes is
 * never run as code. Throws an `Error` that says where it stopped understanding.
 */
export function evaluate(expression: string): number {
  const tokens = expression.match(/\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+|\*\*|[-+*/%^()]|\S/g) ?? [];
  let at = 0;
  const take = (...wanted: readonly string[]): string | undefined =>
    wanted.includes(tokens[at] ?? "") ? tokens[at++] : undefined;

  const readValue = (): number => {
    if (take("(")) {
      const value = readSum();
      if (!take(")")) throw new Error(`a ) is missing in ${expression}`);
      return value;
    }
    const token = tokens[at++];
    const value = Number(token);
    if (token === undefined || Number.isNaN(value)) {
      throw new Error(`${token ?? "the end"} was not expected in ${expression}`);
    }
    return value;
  };
  const readPower = (): number => {
    const base = readValue();
    return take("^", "**") ? base ** readSigned() : base;
  };
  const readSigned = (): number => {
    if (take("-")) return -readSigned();
    return take("+") ? readSigned() : readPower();
  };
  const readProduct = (): number => {
    let value = readSigned();
    for (let sign = take("*", "/", "%"); sign !== undefined; sign = take("*", "/", "%")) {
      const right = readSigned();
      value = sign === "*" ? value * right : sign === "/" ? value / right : value % right;
    }
    return value;
  };
  const readSum = (): number => {
    let value = readProduct();
    for (let sign = take("+", "-"); sign !== undefined; sign = take("+", "-")) {
      const right = readProduct();
      value = sign === "+" ? value + right : value - right;
    }
    return value;
  };

  const value = readSum();
  if (at < tokens.length) throw new Error(`${tokens[at]} was not expected in ${expression}`);
  return value;
}
