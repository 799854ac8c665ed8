/** Changes that affect every message are listed for this many. */
const most = 20;

/**
 * The first lines of what would otherwise be one line for each of thousands of messages, with every
 * turn.
 */
export function firstLines(log: (line: string) => void): (line: string) => void {
  let lines = 0;
  return (line) => {
    lines++;
    if (lines <= most) log(line);
    else if (lines === most + 1) log("The rest of this kind is not logged.");
  };
}
