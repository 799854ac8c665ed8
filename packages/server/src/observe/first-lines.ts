/** What is done to every message of a conversation is said of so many. */
const most = 20;

/** The beginning of what would be a line for each of thousands of messages, with every turn. */
export function firstLines(log: (line: string) => void): (line: string) => void {
  let lines = 0;
  return (line) => {
    lines++;
    if (lines <= most) log(line);
    else if (lines === most + 1) log("The rest of this kind is not logged.");
  };
}
