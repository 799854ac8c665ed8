import { randomInt } from "node:crypto";

const adjectives =
  "amber bold brave brisk calm clear cosy crisp deep eager early fair fleet fond free fresh gentle glad golden grand green happy hardy humble jolly keen kind late light lively loyal lucky mellow mild misty modest neat noble patient plain proud quick quiet rapid ready rosy round shy silent silver sleek small smart snowy soft solid spry steady still sunny swift tall tame tidy true vivid warm wary wise witty young";
const animals =
  "adder ant badger bat bear beaver bee bison boar cat cod crab crane crow deer dog dove duck eagle eel elk falcon ferret finch fox frog goat goose gull hare hawk hen heron horse ibis jay kite lark lion llama lynx marten mole moose moth mouse newt otter owl ox panda perch pike pony puffin quail rabbit ram raven robin rook seal shrew snail stoat stork swan swift tern toad trout tuna viper vole walrus wasp weasel whale wolf wren yak zebra";

const pick = (words: string): string => {
  const list = words.split(" ");
  return list[randomInt(list.length)]!;
};

/** A name that is easy to say and to type: `quiet-otter`. Taken ones get a number. */
export function newName(isTaken: (name: string) => boolean): string {
  const name = `${pick(adjectives)}-${pick(animals)}`;
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!isTaken(candidate)) return candidate;
  }
}
