/** Microseconds of a clock that all processes of a machine share. */
export const sharedClock = (): number => Number(process.hrtime.bigint() / 1000n);

/** The time an event was written, as text inside it. */
export const writeStamp = (): string => `@${sharedClock().toString(36)};`;

const at = "@".charCodeAt(0);
const end = ";".charCodeAt(0);
const nine = "9".charCodeAt(0);

/** The value of a base-36 digit. */
const digitOf = (code: number): number => (code <= nine ? code - 48 : code - 87);

/** Finds the stamps in a stream's bytes, wherever the network cut them. */
export function createStampReader(onStamp: (writtenAt: number) => void): (bytes: Buffer) => void {
  let value = 0;
  let isInside = false;
  return (bytes) => {
    for (let place = 0; place < bytes.length; place++) {
      if (!isInside) {
        const found = bytes.indexOf(at, place);
        if (found < 0) return;
        place = found;
        isInside = true;
        value = 0;
      } else if (bytes[place] === end) {
        isInside = false;
        onStamp(value);
      } else value = value * 36 + digitOf(bytes[place] ?? 0);
    }
  };
}
