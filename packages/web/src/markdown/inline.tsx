import type { Token, Tokens } from "marked";
import type { ComponentChildren, JSX } from "preact";
import { MathsView } from "./maths-view.tsx";
import { decodeEntities, placeOf, safeAddress } from "./inline-text.ts";

/** Inline tokens as elements. HTML in the text stays text, addresses load only when followed. */
export const renderInline = (tokens: readonly Token[] | undefined): ComponentChildren =>
  tokens?.map((token, index) => <Inline key={index} token={token} />);

function Inline({ token }: { readonly token: Token }): ComponentChildren {
  const inner = (): ComponentChildren => renderInline("tokens" in token ? token.tokens : undefined);
  switch (token.type) {
    case "strong":
      return <strong>{inner()}</strong>;
    case "em":
      return <em>{inner()}</em>;
    case "del":
      return <del>{inner()}</del>;
    case "codespan":
      return <code>{(token as Tokens.Codespan).text}</code>;
    case "maths-inline":
      return <MathsView text={String(token["text"])} isBlock={false} />;
    case "br":
      return <br />;
    case "link":
      return <Link token={token as Tokens.Link} />;
    case "image":
      return <ImageLink token={token as Tokens.Image} />;
    case "escape":
      return (token as Tokens.Escape).text;
    case "text":
      return "tokens" in token && token.tokens !== undefined
        ? inner()
        : decodeEntities((token as Tokens.Text).text);
    default:
      return token.raw;
  }
}

const linkRights = "noopener noreferrer nofollow";

function Link({ token }: { readonly token: Tokens.Link }): JSX.Element {
  const address = safeAddress(token.href);
  if (address === undefined) return <span>{token.raw}</span>;
  const place = placeOf(address, token.text);
  return (
    <>
      <a href={address.href} rel={linkRights} target="_blank">
        {renderInline(token.tokens)}
      </a>
      {place === undefined ? null : <small class="host"> ({place})</small>}
    </>
  );
}

/** A remote picture tells its server who looks at it and when: it is a link until it is followed. */
function ImageLink({ token }: { readonly token: Tokens.Image }): JSX.Element {
  const address = safeAddress(token.href);
  const alt = decodeEntities(token.text) || "image";
  if (address === undefined) return <span>{token.raw}</span>;
  return (
    <a class="image-link" href={address.href} rel={linkRights} target="_blank">
      Image: {alt} ({address.host})
    </a>
  );
}
